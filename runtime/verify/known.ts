// Known
// Tracks what a replay knows completely, so that its results can be compared: everything, or only the sessions of which it has
// replayed every entry.
//
//   Owns:          which sessions and workspaces a replay knows completely, since when, and why it does not know the others.
//   Does not own:  replaying (replay), comparing rows (rows).

import { jsonIn } from "../../machines/json.ts";
import { after, keys } from "../rows/keys.ts";
import type { BuildRow } from "../turn/proof.ts";
import { rowsBetween, type StoredRows } from "../rows/row-pages.ts";
import type { Home } from "./tables.ts";

export class Known {
  readonly #found: StoredRows;
  /** True if the replay has applied every entry so far, so that the results of all later entries can be compared. */
  #isWhole: boolean;
  /** The sessions whose every change was replayed, if `#isWhole` is false. */
  readonly #whole = new Set<Home>();
  /**
   * The workspaces with a rule from before the replay's first entry. Their sessions are not compared, because the replay lacks
   * the rule (VERIFY-2).
   */
  #ruled: ReadonlySet<string>;
  /** True if the replay may have other settings than those with which the next entries were applied originally. */
  isUnsettled = false;
  /** The sessions with entries that a version without proofs may have applied. */
  readonly #older = new Set<Home>();
  /** The sessions with entries that another build may have applied. */
  readonly #other = new Set<Home>();
  #hasOlder = false;
  #hasOther = false;
  readonly #builtFrom: number;
  readonly #otherFrom: number;
  readonly #homes = new Map<number, Home>();

  constructor(found: StoredRows, build: string, first: number) {
    this.#found = found;
    this.#isWhole = first === 1;
    this.#ruled = ruledBefore(found, first);
    const builds = buildsIn(found);
    this.#builtFrom = builds[0]?.from ?? Infinity;
    this.#otherFrom = otherBuildFrom(builds, build, first);
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  meet(position: number, home: Home | undefined): void {
    const [isOlder, isOther] = [position < this.#builtFrom, position >= this.#otherFrom];
    this.#hasOlder ||= isOlder;
    this.#hasOther ||= isOther;
    if (home === undefined) return;
    if (isOlder) this.#older.add(home);
    if (isOther) this.#other.add(home);
    if (!this.#isWhole) this.#homes.set(position, home);
  }

  /** Notes that the first change of a session was replayed. */
  begin(home: Home): void {
    if (!this.#ruled.has(home.split("/")[0] ?? "")) this.#whole.add(home);
  }

  /** Notes that an entry is missing. Later results may depend on it, so no session counts as completely replayed any more. */
  lose(position: number): void {
    this.#isWhole = false;
    this.#whole.clear();
    this.#ruled = ruledBefore(this.#found, position + 1);
  }

  /** Notes that the settings are known from this entry on. */
  settle(): void {
    this.isUnsettled = false;
    this.#whole.clear();
  }

  /** True if the result of an entry of this session can be compared. */
  has(home: Home | undefined): boolean {
    return this.#isWhole || (home !== undefined && !this.isUnsettled && this.#whole.has(home));
  }

  /**
   * Why a row is not compared: it may depend on entries that were not replayed (`earlier`), or a version without proofs may have
   * made it (`older`). Undefined for a row that is compared.
   */
  why(kind: "session" | "store", home: Home | undefined): "earlier" | "older" | undefined {
    if (!this.has(kind === "store" ? undefined : home)) return "earlier";
    const isOlder = home === undefined ? this.#hasOlder : this.#older.has(home);
    return isOlder ? "older" : undefined;
  }

  /** True if another build may have made a row. */
  isOther(home: Home | undefined): boolean {
    return home === undefined ? this.#hasOther : this.#other.has(home);
  }

  isOtherAt(position: number): boolean {
    return position >= this.#otherFrom;
  }

  homeAt(position: number): Home | undefined {
    return this.#homes.get(position);
  }
}

function ruledBefore(found: StoredRows, first: number): ReadonlySet<string> {
  const ruled = new Set<string>();
  for (const table of [keys.allRules, keys.allEnded])
    for (const [key] of rowsBetween(found, table, after(table))) {
      const [workspace = "", position] = key.slice(table.length).split("/");
      if (Number(position) < first) ruled.add(workspace);
    }
  return ruled;
}

interface Built {
  readonly from: number;
  readonly build: string | undefined;
}

const buildsIn = (found: StoredRows): readonly Built[] =>
  Array.from(rowsBetween(found, keys.builds, after(keys.builds)), ([key, text]) => ({
    from: Number(key.slice(keys.builds.length)),
    build: (jsonIn(text) as Partial<BuildRow> | null | undefined)?.build,
  }));

/** The first entry from which rows may come from another build than the replay's (`build`), or may depend on such rows. */
function otherBuildFrom(builds: readonly Built[], build: string, first: number): number {
  let at: string | undefined;
  for (const row of builds) {
    if (row.from > first) {
      if (at !== build) return first;
      if (row.build !== build) return row.from;
    }
    at = row.build;
  }
  return at === build ? Infinity : first;
}

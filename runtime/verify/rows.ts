// Rows
// Compares the stored rows with the rows that a replay of the journal made, and reports each row that differs.
//
//   Owns:          which rows are compared, which parts of a row, the report about rows that are not compared.
//   Does not own:  which session a row belongs to (tables), which sessions are fully known (known), replaying (replay).
//
// VERIFY-ROWS-1. A row that was changed, removed or added outside the engine is reported, whatever its table, if the replay
//     knows everything that the row depends on.
// VERIFY-ROWS-2. Rows that are not compared are counted, with the reason. The verification still reads these rows, and reports
//     unreadable ones.
// VERIFY-ROWS-3. The order of fields does not matter. A report names the fields that differ and shows no values, because rows
//     contain what people typed.

import { jsonIn } from "../../machines/json.ts";
import { decode } from "../rows/codec.ts";
import { keys } from "../rows/keys.ts";
import type { Meta } from "../rows/meta.ts";
import type { Known } from "./known.ts";
import { rowsBetween, type StoredRows } from "../rows/row-pages.ts";
import { fieldsOf, type Home, placeOf, type Table, tableOf, TABLES, type Whose } from "./tables.ts";

interface RowDifference {
  readonly key: string;
  /** How the store's row differs from the replay's. `missing`: only the replay has the row; `added`: only the store has it. */
  readonly what: "altered" | "missing" | "added" | "unreadable";
  /** The paths of the fields that differ; present if the row was altered. */
  readonly fields?: readonly string[];
  readonly workspace?: string;
  readonly session?: string;
  /** True if another build may have made the row. This alone may be the reason why the row differs. */
  readonly isOtherBuild: boolean;
}

interface Unchecked {
  readonly table: string;
  readonly rows: number;
  readonly why: "earlier" | "older" | "unsaid";
}

export interface RowsVerified {
  readonly compared: number;
  readonly differences: readonly RowDifference[];
  readonly unchecked: readonly Unchecked[];
}

interface Compared {
  readonly found: StoredRows;
  readonly made: StoredRows;
  readonly known: Known;
  readonly meta: Meta | undefined;
  /**
   * Positions of the entries that are reported already, because the stored digest of their result (their proof, turn/proof)
   * differs from the replay's. Their proofs are not compared again.
   */
  readonly named: ReadonlySet<number>;
}

/** A row in the store and the same row in the replay; each is undefined if it does not exist. */
interface Pair {
  readonly key: string;
  readonly stands: string | undefined;
  readonly made: string | undefined;
}

const FIELDS_MAX = 5;
const UNREADABLE = Symbol("unreadable");

export function compareRows(compared: Compared): RowsVerified {
  const comparison = new Comparison(compared);
  for (const pair of pairs(compared.found, compared.made)) comparison.take(pair);
  return comparison.end();
}

class Comparison {
  readonly #with: Compared;
  readonly #whose: Whose;
  #compared = 0;
  readonly #differences: RowDifference[] = [];
  readonly #unchecked = new Map<string, Unchecked>();

  constructor(compared: Compared) {
    this.#with = compared;
    const { known, found, made } = compared;
    this.#whose = {
      homeAt: (position) => known.homeAt(position),
      row: (key) => parsed(found.get(key) ?? made.get(key)),
    };
  }

  end(): RowsVerified {
    return {
      compared: this.#compared,
      differences: this.#differences,
      unchecked: [...this.#unchecked.values()],
    };
  }

  take(pair: Pair): void {
    const { name, rest } = placeOf(pair.key);
    const table = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined;
    if (!table) return this.#name(pair, { what: "added" });
    const row = parsed(pair.stands);
    if (table.kind === "start") return this.#ofStart(pair, row, table.flaw(rest, row, this.#with.meta));
    const home = table.kind === "session" ? this.#homeOf(table, rest, pair, row) : undefined;
    const why = this.#with.known.why(table.kind, home);
    if (why === undefined) this.#compare(pair, table, row, home);
    else if (pair.stands !== undefined && !isReadable(pair.key, pair.stands))
      this.#name(pair, { what: "unreadable" }, home);
    else if (pair.stands !== undefined) this.#skip(name, why);
  }

  #homeOf(
    { home }: Table & { readonly kind: "session" },
    rest: string,
    pair: Pair,
    row: unknown,
  ): Home | undefined {
    const whose = (value: unknown): Home | undefined => home(rest, value, this.#whose);
    return (pair.made === undefined ? undefined : whose(parsed(pair.made))) ?? whose(row);
  }

  #ofStart(pair: Pair, row: unknown, flaw: string | undefined): void {
    if (pair.stands === undefined) return;
    if (row === UNREADABLE) this.#name(pair, { what: "unreadable" });
    else if (flaw !== undefined) this.#name(pair, { what: "altered", fields: [flaw] });
    else this.#skip(tableOf(pair.key), "unsaid");
  }

  #compare(pair: Pair, table: Table, row: unknown, home: Home | undefined): void {
    const { stands, made, key } = pair;
    // If the replay lacks earlier entries, its sweeps find fewer old rows, and each sweep removes a limited number. So they may
    // have removed a log's row that the engine's sweeps left for later. A row that only the store has is then not compared.
    const isLeft = made === undefined && table.kind === "session" && table.isLog && !this.#with.known.isWhole;
    if (isLeft) return this.#skip(tableOf(key), "earlier");
    this.#compared += 1;
    if (stands === made) return;
    if (stands === undefined) return this.#name(pair, { what: "missing" }, home);
    if (row === UNREADABLE) return this.#name(pair, { what: "unreadable" }, home);
    if (made === undefined) return this.#name(pair, { what: "added" }, home);
    const fields = differing(this.#cut(key, table, row), this.#cut(key, table, parsed(made)));
    if (fields.length > 0) this.#name(pair, { what: "altered", fields: fields.slice(0, FIELDS_MAX) }, home);
  }

  #cut(key: string, table: Table, row: unknown): unknown {
    const { named } = this.#with;
    const fields = fieldsOf(row);
    if (key.startsWith(keys.proofs)) {
      const { of, first } = fields;
      if (!Array.isArray(of) || typeof first !== "number") return row;
      return { ...fields, of: of.map((proof: unknown, index) => (named.has(first + index) ? "" : proof)) };
    }
    if (table.kind !== "session" || !table.ofStart) return row;
    const leftOut = [...table.ofStart, ...(named.has(Number(fields["turn"])) ? ["proof"] : [])];
    return Object.fromEntries(Object.entries(fields).filter(([name]) => !leftOut.includes(name)));
  }

  #name({ key }: Pair, how: Pick<RowDifference, "what" | "fields">, home?: Home): void {
    const [workspace, session] = home?.split("/") ?? [];
    const isOtherBuild = this.#with.known.isOther(home);
    this.#differences.push({
      key,
      ...how,
      ...(workspace !== undefined && session !== undefined && { workspace, session }),
      isOtherBuild,
    });
  }

  #skip(table: string, why: Unchecked["why"]): void {
    const rows = (this.#unchecked.get(`${table} ${why}`)?.rows ?? 0) + 1;
    this.#unchecked.set(`${table} ${why}`, { table, rows, why });
  }
}

function* pairs(found: StoredRows, made: StoredRows): Generator<Pair> {
  const [one, other] = [found, made].map((each) => rowsBetween(each, " ", "~")) as [Rows, Rows];
  let [left, right] = [one.next().value, other.next().value];
  while (left || right) {
    const key = !right || (left && left[0] <= right[0]) ? (left?.[0] ?? "") : right[0];
    const stands = left?.[0] === key ? left[1] : undefined;
    const its = right?.[0] === key ? right[1] : undefined;
    yield { key, stands, made: its };
    if (stands !== undefined) left = one.next().value;
    if (its !== undefined) right = other.next().value;
  }
}

type Rows = ReturnType<typeof rowsBetween>;

function parsed(text: string | undefined): unknown {
  const value = jsonIn(text);
  return value === undefined && text !== undefined ? UNREADABLE : value;
}

function isReadable(key: string, text: string): boolean {
  try {
    decode(key, text);
    return true;
  } catch {
    return false;
  }
}

function differing(one: unknown, other: unknown, at = ""): readonly string[] {
  if (one === other) return [];
  const areBoth = [one, other].every((each) => typeof each === "object" && each !== null);
  if (!areBoth || Array.isArray(one) !== Array.isArray(other)) return [at === "" ? "all of it" : at];
  const [fields, others] = [fieldsOf(one), fieldsOf(other)];
  const names = new Set([...Object.keys(fields), ...Object.keys(others)]);
  const valueOf = (from: typeof fields, name: string): unknown =>
    Object.hasOwn(from, name) ? from[name] : undefined;
  return [...names].flatMap((name) =>
    differing(valueOf(fields, name), valueOf(others, name), at === "" ? name : `${at}.${name}`),
  );
}

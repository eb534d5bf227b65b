// Agreement
// Compares a spare's history with the owner's. A history is what the entries of the journal resulted in: changes, and for each
// entry that changed nothing (a quiet entry) a stored digest of its result, called proof.
//
//   Owns:          finding up to which change or entry the owner's and the spare's histories agree, and the first one at which
//                  they differ.
//   Does not own:  digests (digests), asking the owner (cluster/spare), what follows from a difference (engine/mandate).
//   Decided in:    docs/decisions/0093-a-spare-compares-with-the-owner.md.
//
// AGREEMENT-1. After every start the spare compares with the owner each change, and the proof of each quiet entry (turn/proof),
//     from the oldest one that both still keep.
// AGREEMENT-2. A difference is named by the first number, of a change or of an entry, at which the histories differ. The
//     difference counts only if two answers of the owner in a row show it, because a sweep may remove rows after one engine has
//     read them and before the other has.
// AGREEMENT-3. The comparison skips a row that the owner cannot read, and a proof that the spare or the owner no longer keeps.
// AGREEMENT-4. To check one answer of the owner, the spare reads at most as many rows as one digest covers (DIGESTS-3), and has
//     at most one stretch of changes and one of quiet entries in memory.
// AGREEMENT-5. The spare compares only entries that the owner and the spare applied with the same build, because another build
//     may make different rows from the same entry.
// AGREEMENT-6. A spare reports to the owner that it has an entry once the entry is durable in the spare's store, and the
//     comparison of the histories has passed the entry.

import { jsonIn } from "../../machines/json.ts";
import type { Store } from "../ports.ts";
import { rowsAfter } from "../rows/change-log.ts";
import type { StateChange } from "../rows/changes.ts";
import { after as behind, keys } from "../rows/keys.ts";
import type { Meta } from "../rows/meta.ts";
import type { Compared, Difference, Digest, History, Stretch } from "../cluster/standing.ts";
import { digestOf, NONE, UNREADABLE } from "./digests.ts";

interface Host {
  readonly store: Pick<Store, "range">;
  readonly build: string;
  /** Returns the store's meta row (runtime/rows/meta) as the last commit left it. */
  readonly meta: () => Pick<Meta, "changes" | "changesFrom" | "position">;
}

export class Agreement {
  readonly #host: Host;
  readonly #sides: readonly Side[];
  #held = 0;
  /** What was durable in this store when this spare last asked the owner. */
  #asked: Pick<Meta, "changes" | "position"> | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.#sides = [new Side("changes"), new Side("quiet")];
  }

  /** The stretches whose digests the spare must ask the owner for; none if everything is compared already. */
  wanted(): readonly Stretch[] {
    const since = this.#builtFrom();
    const { changes, position } = this.#host.meta();
    this.#asked = { changes, position };
    this.#hold();
    return this.#sides.flatMap((side) => side.wanted(this.#kept(side.of), since));
  }

  /** The position of the last entry that this spare holds (AGREEMENT-6). */
  get held(): number {
    return this.#held;
  }

  /** How many changes of this store are not yet compared with the owner's. */
  get behind(): number {
    const { changes, changesFrom } = this.#host.meta();
    const [side] = this.#sides;
    return Math.max(0, changes - Math.max(changesFrom, side?.agreed ?? 0));
  }

  /** The owner's answer to a spare: the digests of those stretches that the spare asked for and that both stores have. */
  answer(asked: readonly Stretch[]): readonly Digest[] {
    const { store, build } = this.#host;
    const builtFrom = this.#builtFrom();
    return asked.flatMap(({ of, ...stretch }) => {
      const kept = this.#kept(of);
      const [after, upTo] = [Math.max(stretch.after, kept.after), Math.min(stretch.upTo, kept.upTo)];
      const since = Math.max(stretch.since, builtFrom);
      return after < upTo ? [{ ...digestOf(store, { of, after, upTo, since }), build }] : [];
    });
  }

  /** Compares the owner's answer with this spare's store. @param answered the owner's digests of the stretches in `wanted`. */
  compare(answered: readonly Digest[]): Compared {
    const { changesFrom } = this.#host.meta();
    let compared: Compared = "even";
    for (const theirs of answered) {
      const side = this.#sides.find(({ of }) => of === theirs.of);
      if (theirs.build !== this.#host.build) continue;
      // If a sweep has removed the rows since the spare asked about them, the spare skips the answer, and next asks about later
      // rows.
      if (!side || (theirs.of === "changes" && theirs.after < changesFrom)) continue;
      if (!side.isAskedFor(theirs)) continue;
      const found = side.take(theirs, digestOf(this.#host.store, theirs));
      if (found === "different") return this.#named(side.of, theirs.upTo);
      if (compared !== "doubt" && found !== "even") compared = found;
    }
    this.#hold();
    return compared;
  }

  #hold(): void {
    const { changes = Infinity, position = Infinity } = this.#asked ?? {};
    const [agreed = 0, quiet = 0] = this.#sides.map((side) => side.agreed);
    if (agreed >= changes && quiet >= position) this.#held = Math.max(this.#held, position);
  }

  /** The position of the first entry that this build applied to this store. */
  #builtFrom(): number {
    const all = { gte: keys.builds, lt: behind(keys.builds), limit: 1, reverse: true };
    const [newest] = this.#host.store.range(all);
    return newest ? Number(newest[0].slice(keys.builds.length)) : 0;
  }

  #kept(of: History): Kept {
    const { changes, changesFrom, position } = this.#host.meta();
    return of === "changes" ? { after: changesFrom, upTo: changes } : { after: 0, upTo: position };
  }

  #named(of: History, n: number): Difference {
    if (of === "quiet") return { of, n, position: n };
    const { store, meta } = this.#host;
    const [row] = rowsAfter(store, n - 1, Infinity, 1);
    const { turn: position = meta().position } = (jsonIn(row?.text) ?? {}) as Partial<StateChange>;
    return { of, n, position };
  }
}

type Kept = Pick<Stretch, "after" | "upTo">;

type Summed = Omit<Digest, "build">;

/** One of the two histories that are compared: the changes, or the quiet entries. */
class Side {
  readonly of: History;
  agreed = 0;
  /** The end of a stretch that differs. The search halves the stretch until one number is left. */
  #doubtful: number | undefined;
  #times = 0;
  #asked: Stretch | undefined;

  constructor(of: History) {
    this.of = of;
  }

  wanted(kept: Kept, since: number): readonly Stretch[] {
    const after = Math.max(this.agreed, kept.after);
    const upTo = this.#middle(after) ?? kept.upTo;
    this.#asked = after < upTo ? { of: this.of, after, upTo, since } : undefined;
    return this.#asked ? [this.#asked] : [];
  }

  isAskedFor({ after, upTo, since }: Stretch): boolean {
    const asked = this.#asked;
    return (
      asked !== undefined &&
      since >= asked.since &&
      after >= asked.after &&
      upTo <= asked.upTo &&
      after < upTo
    );
  }

  take(theirs: Summed, ours: Summed): "even" | "more" | "doubt" | "different" {
    const asked = this.#asked?.upTo ?? 0;
    this.#asked = undefined;
    const { after, upTo } = theirs;
    const isSame = ours.upTo === upTo && ours.digest === theirs.digest;
    if (isSame || (upTo - after === 1 && isPassedOver(theirs, ours))) {
      this.agreed = upTo;
      this.#times = 0;
      if (this.#doubtful !== undefined && this.#doubtful <= upTo) this.#doubtful = undefined;
      if (this.#doubtful !== undefined) return "doubt";
      return upTo < asked ? "more" : "even";
    }
    this.#times += 1;
    if (this.#times < TIMES) return "doubt";
    if (upTo - after === 1) return "different";
    this.#times = 0;
    this.#doubtful = upTo;
    return "doubt";
  }

  #middle(after: number): number | undefined {
    if (this.#doubtful === undefined) return undefined;
    return after + Math.max(1, Math.floor((this.#doubtful - after) / 2));
  }
}

/** How many answers in a row must show a difference before the difference counts (AGREEMENT-2). */
const TIMES = 2;

/** True for a row or proof whose comparison is skipped (AGREEMENT-3). */
const isPassedOver = ({ of, digest }: Summed, ours: Summed): boolean =>
  digest === UNREADABLE || (of === "quiet" && (digest === NONE || ours.digest === NONE));

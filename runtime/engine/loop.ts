// Loop
// Reads the journal, makes a turn of each entry, and sends groups of turns to be committed.
//
//   Owns:          up to which entry turns were made, when a group is sent to be committed.
//   Does not own:  a turn's effects (turn), what follows a commit (engine), stopping after a failure (engine).
//
// G1. Each entry is applied once, in the journal's order.
// G9. An entry that may crash the engine (poison) is alone in its group (poison-detector).
// LOOP-2. The loop reads entries ahead. After the entry that ends a term, it drops those that it has read ahead, and reads them
//     again once this engine may apply them: after such an end, only the build that began the next term may apply entries
//     (cluster/seam).
// LOOP-1. The loop lets other work run after at most two turns, or 16 if many entries wait, and always after 4 ms. (checked by
//     review: only the length of pauses and the number of calls a second show it)

import { setImmediate as nextTick } from "node:timers/promises";
import { isSeam } from "../cluster/seam.ts";
import type { Committer } from "./commit.ts";
import type { Clock, Journal, JournalEntry } from "../ports.ts";
import type { PoisonDetector } from "./poison-detector.ts";
import type { TurnDeps } from "../turn/playing.ts";
import { readMeta } from "../rows/meta.ts";
import { turn } from "../turn/turn.ts";

const READ_MAX = 256;
/** After this many turns, or after `AT_ONCE_MS`, the loop lets other work run, such as the work after a commit. */
const TURNS_AT_ONCE = 2;
const AT_ONCE_MS = 4;
/** If more than this many entries wait to be applied, few large commits are faster than many small ones. */
const BACKLOG = 64;
const BACKLOG_AT_ONCE = 16;

export interface Looped {
  readonly journal: Pick<Journal, "read">;
  readonly clock: Pick<Clock, "monotonic">;
  readonly committer: Committer;
  readonly detector: PoisonDetector;
  readonly deps: TurnDeps;
  readonly onDefect: (error: unknown, position: number) => void;
  /** Called when a commit failed. */
  readonly fail: (error: unknown) => void;
}

export class Loop {
  readonly #with: Looped;
  #applied: number;
  #watched: Promise<void> | undefined;

  /** @param position the position of the last entry that was applied. */
  constructor(position: number, looped: Looped) {
    this.#applied = position;
    this.#with = looped;
  }

  /** The last entry whose turn has ended; it may not be durable yet. */
  get applied(): number {
    return this.#applied;
  }

  /** Runs until aborted, then makes the open group durable. @throws FatalError as the ports do. */
  async run(signal: AbortSignal): Promise<void> {
    const { journal, clock, committer, detector } = this.#with;
    let turns = 0;
    let from = clock.monotonic();
    while (!signal.aborted) {
      const asked = clock.monotonic();
      const entries = await journal.read(this.#applied, READ_MAX, signal);
      // After AT_ONCE_MS of turns, the loop lets other work run. Waiting for entries is left out of this time, because other
      // work runs meanwhile.
      from += clock.monotonic() - asked;
      const atOnce = entries.length > BACKLOG ? BACKLOG_AT_ONCE : TURNS_AT_ONCE;
      for (const entry of entries) {
        if (detector.isInDoubt(entry.position))
          await detector.alone(entry.position, () => this.#apply(entry));
        else this.#apply(entry);
        if (isSeam(readMeta(committer.group) ?? {}, entry.position)) break;
        turns += 1;
        if (committer.isFull || turns >= atOnce) {
          await this.#makeRoom();
          turns = 0;
        } else if (clock.monotonic() - from >= AT_ONCE_MS) await nextTick();
        else continue;
        from = clock.monotonic();
      }
      this.sendOff();
    }
    await committer.land();
  }

  /** Commits the open group if no commit is in flight; otherwise the group is committed when that commit ends. */
  sendOff(): void {
    this.#watch(this.#with.committer.flush());
  }

  /** Puts rows in the next commit, and makes a commit if none is under way. */
  keep(rows: ReadonlyMap<string, number>): void {
    for (const [key, n] of rows) this.#with.committer.group.set(key, n);
    this.sendOff();
  }

  #apply(entry: JournalEntry): void {
    const { committer, deps, onDefect } = this.#with;
    const result = turn(committer.group, entry, deps);
    if (result.defect !== undefined) onDefect(result.defect, entry.position);
    this.#applied = entry.position;
    committer.add(result);
  }

  /**
   * Commits the open group if no commit is in flight. If the group is full, waits for the commit. Then lets other work run once,
   * so that the store can begin to write before the next turn.
   */
  async #makeRoom(): Promise<void> {
    const { committer } = this.#with;
    const flight = committer.flush();
    this.#watch(flight);
    if (committer.isFull) await flight;
    await nextTick();
  }

  /** When a commit ends, commits the group that was filled meanwhile. When a commit fails, stops everything. */
  #watch(flight: Promise<void> | undefined): void {
    if (flight === undefined || flight === this.#watched) return;
    this.#watched = flight;
    flight.then(
      () => this.sendOff(),
      (error: unknown) => this.#with.fail(error),
    );
  }
}

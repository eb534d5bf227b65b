// Differing
// What follows where a spare's history is not the owner's.
//
//   Owns:          the refusal of such a store, what the owner tells of spares that stopped.
//   Does not own:  finding the difference (agreement), stopping (engine/mandate).
//   Decided in:    docs/decisions/0093-a-spare-compares-with-the-owner.md.
//
// CLUSTER-DIFFERING-1. A store whose history differed from its owner's is never opened again, whatever the start asks for. A
//     backup of it leaves that out: a person who has found it right may restore it into another folder.
// CLUSTER-DIFFERING-2. The owner tells its operator until that spare asks again, from another folder.

import { FatalError } from "../errors/errors.ts";
import type { Trouble } from "../errors/trouble.ts";
import { keys } from "../rows/keys.ts";
import type { Readable } from "../rows/overlay.ts";
import type { Asked } from "./standing.ts";

/** @param position of the first entry that led to something else. */
export const historyDiffers = (position: number): FatalError =>
  new FatalError(
    "HISTORY_DIFFERS",
    `Entry ${position} of the journal led to something else in this data folder than at the owner.`,
    "Keep both folders. `npx signalbox verify` says which of the two is right: restore a backup of that one into an empty folder, and start it with --follow.",
  );

/** CLUSTER-DIFFERING-1. @throws FatalError HISTORY_DIFFERS */
export function refuseDiffering(rows: Pick<Readable, "get">): void {
  const position = rows.get(keys.differs);
  if (position !== undefined) throw historyDiffers(Number(position));
}

/** Spares that an owner remembers. */
const SPARES_MAX = 16;

/** CLUSTER-DIFFERING-2. The spares that stopped, by their address, and when. */
export class Differing {
  readonly #since = new Map<string, number>();

  hear({ node, differs }: Asked, now: number): void {
    if (!differs) this.#since.delete(node);
    else if (this.#since.size < SPARES_MAX && !this.#since.has(node)) this.#since.set(node, now);
  }

  troubles(): readonly Trouble[] {
    const [since] = this.#since.values();
    if (since === undefined) return [];
    const message = "A spare has stopped: an entry of the journal led to something else there than here.";
    const next =
      "Its log names the entry. `npx signalbox verify` says on both machines which of them is right.";
    return [{ code: "SPARE_DIFFERS", message, next, since, isEssential: false }];
  }
}

// Cut journal
// A journal from which others can remove entries, as they can from a stream.
//
//   Owns:          which entries are missing.
//   Does not own:  all other entries: the journal inside has them.

import { Gaps, resume } from "../../../runtime/journal/cursor.ts";
import { journalLacks } from "../../../runtime/errors/errors.ts";
import type { Cursor, JournalEntry, Missing } from "../../../runtime/ports.ts";
import type { MemoryDisk } from "../../../adapters/memory/index.ts";
import { WrappedJournal } from "./wrapped-journal.ts";

export class CutJournal extends WrappedJournal {
  readonly #disk: MemoryDisk;
  readonly #holes: readonly Missing[];
  readonly #gaps = new Gaps();

  /** @param holes the missing entries, in order; may grow while the journal is read. */
  constructor(journal: ConstructorParameters<typeof WrappedJournal>[0], disk: MemoryDisk, holes: Missing[]) {
    super(journal);
    this.#disk = disk;
    this.#holes = holes;
  }

  override async open(cursor: Cursor | undefined, past = false): Promise<Cursor> {
    const { incarnation, trimmed, tail } = this.#disk;
    const found = resume(cursor, { incarnation, trimmed, tail, holes: this.#holes }, past);
    this.#gaps.accept(found.missing);
    await super.open(cursor, past);
    return found.cursor;
  }

  override async read(
    position: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly JournalEntry[]> {
    const gap = this.#gaps.after(position);
    if (gap) return [gap];
    const read = await super.read(position, limit, signal);
    const isGone = (at: number): boolean => this.#holes.some(({ first, last }) => first <= at && at <= last);
    const end = read.findIndex((entry) => isGone(entry.position));
    const hole = this.#holes.find(({ first, last }) => first <= position + 1 && position < last);
    if (end === 0 && hole) throw journalLacks([{ first: position + 1, last: hole.last }]);
    return end === -1 ? read : read.slice(0, end);
  }
}

// Journal room
// Decides whether one of the engine's own journals has room for another entry, and lets a writer wait if there is none.
//
//   Owns:          the part of a journal that sources may fill; the order of the writers that wait for room.
//   Does not own:  how much room there is (journals), deciding which entries may be removed (trimming, pressure).
//
// JOURNAL-ROOM-1. Sources fill at most 15/16 of a journal. The last 1/16 is reserved for the engine's own messages, so that a
//     deadline, a decision or a sweep finds room in a journal that a source has filled.
// JOURNAL-ROOM-2. A writer for whose entries the journal has no room asks for room, and tries again as long as something was
//     trimmed. If nothing more can be trimmed, the writer gets an error that the journal is full, and none of its entries is
//     stored. Sources that wait keep their order; a message of the engine itself does not wait behind them.

import { journalFull } from "../errors/errors.ts";
import type { Appending, Fill } from "../ports.ts";

const SOURCES_SHARE = 15 / 16;

function hasRoom({ bytes, max }: Fill, adding: number, { own = false }: Appending): boolean {
  return bytes + adding <= max * (own ? 1 : SOURCES_SHARE);
}

export class JournalRoom {
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Adds entries immediately, or as soon as there is room.
   * @param now how full the journal is. @param add appends the entries, and must do so before it waits for anything.
   * @throws RetryableError JOURNAL_FULL; the error of `add`.
   */
  take<T>(now: () => Fill, adding: number, how: Appending, add: () => Promise<T>): Promise<T> {
    const isNext = how.own === true || this.#waiting === 0;
    if (isNext && hasRoom(now(), adding, how)) return add();
    const tried = (): Promise<T> => made(now, adding, how, add);
    return how.own === true ? tried() : this.#inLine(tried);
  }

  /** Runs the step once all writers that came before have found room or given up. */
  #inLine<T>(step: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const stepped = this.#last.then(step).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = stepped.catch(() => undefined);
    return stepped;
  }
}

async function made<T>(now: () => Fill, adding: number, how: Appending, add: () => Promise<T>): Promise<T> {
  while (!hasRoom(now(), adding, how)) {
    const wentAny = (await how.makeRoom?.()) === true;
    if (!wentAny && !hasRoom(now(), adding, how)) throw journalFull(reasonOf(now()));
  }
  return add();
}

const reasonOf = ({ bytes, max }: Fill): string =>
  `it holds ${bytes} of the ${Math.max(0, Math.floor(max))} bytes it may hold`;

// Unreadable entries
// Limits the letters about unreadable journal entries, because anybody who may publish can write any number of them.
//
//   Owns:          how many unreadable entries get letters of their own, and the letter that reports the others.
//   Does not own:  writing a letter (verdict), what a door refuses before the journal (door/refusals).
//
// UNREADABLE-ENTRIES-1. In each second of the journal at most 50 unreadable entries get a letter each. The others are
//     counted, and the first turn of a later second writes one letter with their number. Only the journal's clock
//     counts, so the same journal gives the same letters.

import type { Letter } from "./letter.ts";
import { meta, setMeta } from "../../rows/meta.ts";
import type { Layer } from "../../rows/overlay.ts";
import type { JournalEntry } from "../../ports.ts";

const LETTERS_PER_SECOND = 50;

const secondOf = ({ at }: Pick<JournalEntry, "at">): number => Math.floor(at / 1000);

/** Doors count their own refusals, and an entry that crashed the engine always gets a letter. */
const isJunk = ({ door, code }: Letter): boolean =>
  door === undefined ? code !== "POISON" : door === "nats";

/** @returns whether an entry gets a letter of its own; otherwise it is counted. */
export function mayHaveLetter(layer: Layer, entry: JournalEntry, letter: Letter): boolean {
  if (!isJunk(letter)) return true;
  const second = secondOf(entry);
  const { junk } = meta(layer);
  const inSecond = junk?.second === second ? junk : { second, letters: 0, untold: 0 };
  if (inSecond.letters < LETTERS_PER_SECOND) {
    setMeta(layer, { junk: { ...inSecond, letters: inSecond.letters + 1 } });
    return true;
  }
  setMeta(layer, { junk: { ...inSecond, untold: inSecond.untold + 1 } });
  return false;
}

/** One letter for entries of an earlier second without letters; undefined if there are none, or none to report yet. */
export function untoldUnreadable(layer: Layer, entry: JournalEntry): Letter | undefined {
  const { junk } = meta(layer);
  if (!junk || junk.second === secondOf(entry)) return undefined;
  const { second, untold } = junk;
  setMeta(layer, { junk: undefined });
  if (untold === 0) return undefined;
  return {
    code: "UNRECORDED",
    reason: `${untold} more entries of the second ${new Date(second * 1000).toISOString()} could not be read; they have no letters of their own.`,
    unrecorded: untold,
    body: "",
  };
}

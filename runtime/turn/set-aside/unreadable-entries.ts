// Unreadable entries
// Limits the dead letters for unreadable journal entries, because anybody who may publish can write any number of such entries.
//
//   Owns:          how many unreadable entries get their own letter, and the letter that counts the others.
//   Does not own:  writing a letter (verdict), messages that a door refuses before the journal (door/refusals).
//
// UNREADABLE-ENTRIES-1. In each second of the journal's clock at most 50 unreadable entries get their own letter. Further ones
//     are counted, and the first turn of a later second writes one letter with their number. Only the journal's clock matters,
//     so the same journal gives the same letters.

import type { Letter } from "./letter.ts";
import { meta, setMeta } from "../../rows/meta.ts";
import type { Layer } from "../../rows/overlay.ts";
import type { JournalEntry } from "../../ports.ts";

const LETTERS_PER_SECOND = 50;

const secondOf = ({ at }: Pick<JournalEntry, "at">): number => Math.floor(at / 1000);

/** True for an unreadable entry. Doors count what they refuse; an entry that crashed the engine always gets its own letter. */
const isJunk = ({ door, code }: Letter): boolean =>
  door === undefined ? code !== "POISON" : door === "nats";

/** Decides about an unreadable entry. @returns true if the entry gets its own letter; false if it is only counted. */
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

/** The letter that counts unreadable entries of an earlier second; undefined if no entry was counted, or in the same second. */
export function untoldUnreadable(layer: Layer, entry: JournalEntry): Letter | undefined {
  const { junk } = meta(layer);
  if (!junk || junk.second === secondOf(entry)) return undefined;
  const { second, untold } = junk;
  setMeta(layer, { junk: undefined });
  if (untold === 0) return undefined;
  return {
    code: "UNRECORDED",
    reason: `${untold} more entries of the second ${new Date(second * 1000).toISOString()} could not be read; they have no dead letters of their own.`,
    unrecorded: untold,
    body: "",
  };
}

// Unreadable entries
// Limits the dead letters for unreadable journal entries, because anybody who may publish can write any number of such entries.
//
//   Owns:          how many unreadable entries get a dead letter of their own, and the dead letter that counts the others.
//   Does not own:  writing a dead letter (verdict), messages that a door refuses and does not journal (door/refusals).
//
// UNREADABLE-ENTRIES-1. In each second of the journal's clock at most 50 unreadable entries get dead letters of their own. The
//     first turn of a later second writes one dead letter with the number of the other unreadable entries of that second. So a
//     replay of the journal writes the same dead letters.

import type { Letter } from "./letter.ts";
import { meta, setMeta } from "../../rows/meta.ts";
import type { Layer } from "../../rows/overlay.ts";
import type { JournalEntry } from "../../ports.ts";

const LETTERS_PER_SECOND = 50;

const secondOf = ({ at }: Pick<JournalEntry, "at">): number => Math.floor(at / 1000);

/**
 * True for the dead letter of an unreadable entry, also if somebody published the entry over NATS. False for a message that a
 * door refused, because the door itself limits its dead letters; and for an entry that crashed the engine, because such an
 * entry always gets a dead letter.
 */
const isJunk = ({ door, code }: Letter): boolean =>
  door === undefined ? code !== "POISON" : door === "nats";

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

/**
 * The dead letter that says how many unreadable entries of an earlier second have no dead letter of their own.
 * @returns undefined if there are none, or if that second is not over.
 */
export function untoldUnreadable(layer: Layer, entry: JournalEntry): Letter | undefined {
  const { junk } = meta(layer);
  if (!junk || junk.second === secondOf(entry)) return undefined;
  const { second, untold } = junk;
  setMeta(layer, { junk: undefined });
  if (untold === 0) return undefined;
  return {
    code: "UNRECORDED",
    reason: `${untold} more entries of the second ${new Date(second * 1000).toISOString()} could not be read; this dead letter stands for all of them.`,
    unrecorded: untold,
    body: "",
  };
}

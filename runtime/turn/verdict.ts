// Verdict
// Records how a turn ended: writes the reply to the message's sender, and the dead letter if the entry was not applied.
//
//   Owns:          the row of the reply under the sender's idempotency key, for a message that has one; the row of a dead
//                  letter.
//   Does not own:  deciding how the turn ends (turn, poison), the published form of a dead letter (dead-letters).
//
// G1. An entry that is not applied gets a dead letter with a reason, or is counted in another dead letter (UNREADABLE-ENTRIES-1).

import { type Letter } from "./set-aside/letter.ts";
import type { TurnResult, Reply } from "./turn-result.ts";
import { defined } from "../../machines/index.ts";
import { mayHaveLetter, untoldUnreadable } from "./set-aside/unreadable-entries.ts";
import { keys } from "../rows/keys.ts";
import type { Message } from "../message.ts";
import { meta, setMeta } from "../rows/meta.ts";
import type { Layer } from "../rows/overlay.ts";
import type { JournalEntry } from "../ports.ts";
import { untoldOfQuota } from "./turning-away.ts";

type Added = "position" | "at" | "content" | "away" | "repeats";
type MayBeEmpty = "changes" | "answers";

export type Verdict = Omit<TurnResult, Added | MayBeEmpty> & Partial<Pick<TurnResult, MayBeEmpty>>;

export const APPLIED: Verdict = { outcome: "applied" };

export const rejected = (code: string, reason: string, path?: string): Verdict => ({
  outcome: "rejected",
  code,
  reason,
  ...defined({ path }),
});

export function setAside(layer: Layer, entry: JournalEntry, letter: Letter): Verdict {
  if (mayHaveLetter(layer, entry, letter)) writeLetter(layer, entry, letter);
  const { code, reason, path } = letter;
  return { outcome: "dead", reason, code, ...defined({ path }) };
}

export function tellOfEarlier(layer: Layer, entry: JournalEntry): void {
  const unreadable = untoldUnreadable(layer, entry);
  for (const letter of [...(unreadable ? [unreadable] : []), ...untoldOfQuota(layer, entry)])
    writeLetter(layer, entry, letter);
}

function writeLetter(layer: Layer, { position, at }: JournalEntry, letter: Letter): void {
  const { type: _, ...told } = letter;
  const n = meta(layer).deads + 1;
  layer.set(keys.dead(n), { n, position, at, ...told });
  setMeta(layer, { deads: n });
}

/** @param message the entry's message; undefined if the entry contains no message. */
export function settle(
  layer: Layer,
  entry: JournalEntry,
  message: Message | undefined,
  verdict: Verdict,
): TurnResult {
  const { position, at } = entry;
  const { changes = [], answers = [], defect, ...told } = verdict;
  const { content, key } = message ?? {};
  const result = { position, at, ...told, ...defined({ content }), changes, answers };
  if (key !== undefined) {
    const { changes: _, ...reply } = result;
    layer.set(keys.reply(key), reply satisfies Reply);
    layer.set(keys.replied(at, key), { at, replied: key });
  }
  return defect === undefined ? result : { ...result, defect };
}

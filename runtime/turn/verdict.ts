// Verdict
// Records how a turn ended: the reply to the message's sender, and the dead letter.
//
//   Owns:          the row of the reply under the sender's key, the row of a dead letter.
//   Does not own:  deciding how the turn ends (turn, poison), the published form of a dead letter (dead-letters).
//
// G1. An entry that is not applied gets a dead letter with a reason, or is counted in another dead letter (UNREADABLE-ENTRIES-1).

import type { Warning } from "./early-list.ts";
import { type Letter } from "./set-aside/letter.ts";
import type { SweptCounts, TurnResult, Reply } from "./turn-result.ts";
import { type DecisionResult, defined } from "../../machines/index.ts";
import type { StateChange } from "../rows/changes.ts";
import type { KeptRule } from "../rows/rule-rows.ts";
import { mayHaveLetter, untoldUnreadable } from "./set-aside/unreadable-entries.ts";
import { keys } from "../rows/keys.ts";
import type { Message } from "../message.ts";
import { meta, setMeta } from "../rows/meta.ts";
import type { Layer } from "../rows/overlay.ts";
import type { JournalEntry } from "../ports.ts";
import { untoldOfQuota } from "./turning-away.ts";

export interface Verdict {
  readonly outcome: TurnResult["outcome"];
  readonly reason?: string;
  readonly code?: string;
  readonly path?: string;
  readonly waitsFor?: number;
  readonly changes?: readonly StateChange[];
  readonly answers?: readonly DecisionResult[];
  readonly warning?: Warning;
  readonly swept?: SweptCounts;
  readonly rule?: KeptRule;
  readonly defect?: unknown;
}

/** Writes the dead letter of an entry that is not applied. @returns how the entry's turn ends. */
export function setAside(layer: Layer, entry: JournalEntry, letter: Letter): Verdict {
  if (mayHaveLetter(layer, entry, letter)) writeLetter(layer, entry, letter);
  const { code, reason, path } = letter;
  return { outcome: "dead", reason, code, ...defined({ path }) };
}

/** Writes the letters that count an earlier second's entries without a letter (UNREADABLE-ENTRIES-1, TURNING-AWAY-4). */
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

/** @param message undefined for an entry that does not hold a message. */
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

// Poison
// Sets aside an entry that crashed the engine each time it was applied, and closes the entry's session to approvals.
//
//   Owns:          the dead letter POISON, which messages are set aside together with an entry, storing the whole entry for a
//                  retry.
//   Does not own:  finding an entry that crashes the engine (poison-detector), entries whose turn throws (turn), closed sessions
//                  (closed).
//
// G9. A message that crashes the engine is skipped. No other message is lost.
// G1. Messages in the hold-back that the poison entry's turn would also have applied are set aside, too, each with its own
//     dead letter.
// G8. The poison entry may have been a denial, so its session is closed to approvals. If the entry was a decision to approve, the
//     session stays open.

import { letterOf } from "./letter.ts";
import type { TurnResult } from "../turn-result.ts";
import { type Address, type Digest, sessionAddress } from "../../../machines/index.ts";
import { spendAlarm } from "../../rows/alarms.ts";
import { close } from "./closed.ts";
import { RefusedError } from "../../errors/errors.ts";
import { HOLD_TIMER } from "../../rows/holdback-rows.ts";
import { everything, overdue, passOver } from "../holdback.ts";
import { keys } from "../../rows/keys.ts";
import { reject } from "../../rows/ledger.ts";
import {
  isInput,
  type Message,
  messageIn,
  type OwnMessage,
  type SourceMessage,
  writeMessage,
} from "../../message.ts";
import { meta, setMeta } from "../../rows/meta.ts";
import type { Layer } from "../../rows/overlay.ts";
import type { JournalEntry } from "../../ports.ts";
import { isRepeated } from "../../rows/seen.ts";
import { entombStranger } from "../tombs.ts";
import { setAside, settle } from "../verdict.ts";

export const POISON = "POISON";
/** How many poison entries, the newest ones, an engine names to the other engines on its journal. */
const NAMED_MAX = 16;

const NEXT = "The session accepts no approvals until `npx signalbox dlq retry` has applied the entry again.";
const DIED = new RefusedError(POISON, "The engine died each time it applied this entry.", NEXT);
const WITH_IT = new RefusedError(
  POISON,
  "This message was to be applied together with an entry that crashed the engine each time.",
  NEXT,
);

export function setPoisonAside(layer: Layer, entry: JournalEntry, digest: Digest): TurnResult {
  const message = messageIn(entry.body);
  const result = settle(layer, entry, message, setAside(layer, entry, letterOf(DIED, entry.body)));
  const { poison = [] } = meta(layer);
  setMeta(layer, { poison: [...poison, entry.position].slice(-NAMED_MAX) });
  // The same message would crash the engine again, so a later message with its id must count as a duplicate.
  if (!message || !isTold(message) || isRepeated(layer, entry, message, digest)) return result;
  const home = sessionAddress(message.workspace, message.session);
  const { position, at } = entry;
  const what = message.door === "own" ? message.said.type : message.type;
  reject(layer, home, { position, at, what, reason: DIED.message });
  entombStranger(layer, home, at);
  if (isApproval(message)) return result;
  keepWhole(layer, home, entry.body);
  for (const other of setAsideWith(layer, home, entry, message, digest)) {
    const body = writeMessage(other);
    setAside(layer, { ...entry, body }, letterOf(WITH_IT, body));
    keepWhole(layer, home, body);
  }
  return result;
}

const isTold = (message: Message): boolean => message.door === "in" || isInput(message.said);

const isApproval = (message: Message): boolean =>
  message.door === "own" && message.said.type === "decision" && message.said.decision === "approve";

/** Stores the whole entry for a retry. Must be called after the dead letter was written. */
function keepWhole(layer: Layer, home: Address, body: string): void {
  const { deads: letter } = meta(layer);
  layer.set(keys.buried(letter), body);
  close(layer, home, letter);
}

/**
 * Takes out of the hold-back the messages that the turn would have applied together with this entry. They are set aside, too,
 * because any of them may have caused the crash.
 */
function setAsideWith(
  layer: Layer,
  home: Address,
  entry: JournalEntry,
  message: Message,
  digest: Digest,
): readonly SourceMessage[] {
  return message.door === "in"
    ? passOver(layer, home, message, digest)
    : releasedBy(layer, home, entry, message.said);
}

function releasedBy(
  layer: Layer,
  home: Address,
  { at }: JournalEntry,
  said: OwnMessage["said"],
): readonly SourceMessage[] {
  if (said.type !== "timer.fired") return [];
  spendAlarm(layer, said.address as Address, said);
  if (said.timer === HOLD_TIMER) return overdue(layer, home, at).messages;
  return said.timer === "removal" && said.address === home ? everything(layer, home).messages : [];
}

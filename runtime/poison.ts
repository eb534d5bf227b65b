// Poison
// An entry that ended the processes which applied it: it is buried, and its session fails closed.
//
//   Owns:          the dead letter POISON; sessions that are closed to approvals, and turning approvals away there.
//   Does not own:  finding out which entry it is (trial), entries that throw (turn).
//
// G9. A message that ends processes is passed over; nothing beside it is lost.
// G8. What was passed over may have been a denial: from then on nothing is approved in its session. Denials are taken,
//     deadlines and the answers of others too.

import {
  type Address,
  type ApprovalContext,
  childAddress,
  type Digest,
  sessionAddress,
} from "../machines/index.ts";
import { actorRow } from "./actor-rows.ts";
import { spendAlarm } from "./alarms.ts";
import { type Delivered, Rejection } from "./delivery.ts";
import { RefusedError } from "./errors.ts";
import { closeSession, ledger, reject } from "./ledger.ts";
import { type Message, readMessage } from "./message.ts";
import type { Layer } from "./overlay.ts";
import type { JournalEntry } from "./ports.ts";
import { isRepeated } from "./seen.ts";
import { entombStranger } from "./tombs.ts";
import type { TurnResult } from "./turn.ts";
import { bury, letterOf } from "./verdict.ts";

const POISON = new RefusedError(
  "POISON",
  "The engine died each time it applied this entry.",
  "It was dead-lettered; its session takes no more approvals.",
);

/** Passes an entry over. */
export function buryPoison(layer: Layer, entry: JournalEntry, digest: Digest): TurnResult {
  const message = messageIn(entry.body);
  if (message) failClosed(layer, entry, message, digest);
  return bury(layer, entry, letterOf(POISON, entry.body), message);
}

function failClosed(layer: Layer, entry: JournalEntry, message: Message, digest: Digest): void {
  const home = sessionAddress(message.workspace, message.session);
  const what = message.door === "own" ? message.said.type : message.type;
  if (what === "configured" || what === "swept" || what === "tallied" || what === "refused") return;
  // Sent again under its id, it would end the process again.
  isRepeated(layer, entry, message, digest);
  if (message.door === "own" && message.said.type === "timer.fired")
    spendAlarm(layer, message.said.address as Address, message.said, entry.at);
  const { position, at } = entry;
  reject(layer, home, { position, at, what, reason: POISON.message });
  closeSession(layer, home, position);
  entombStranger(layer, home, at);
}

/** @throws Rejection when the engine would approve something in a session that is closed to approvals. */
export function checkApprovals(layer: Layer, home: Address, delivered: Delivered): Delivered {
  const approved = delivered.changes.filter(({ entity, to }) => entity === "approval" && to === "approved");
  const ours = approved.filter(({ id }) => !isObserved(layer, home, id));
  const closed = ours.length > 0 ? ledger(layer, home).closedAt : undefined;
  if (closed === undefined) return delivered;
  throw new Rejection(
    `nothing is approved in this session any more, because what it was told at ${closed} could not be applied; answer where it was asked`,
  );
}

function isObserved(layer: Layer, home: Address, id: string): boolean {
  const row = actorRow(layer, childAddress(home, "approval", id));
  return (row?.snapshot.context as ApprovalContext | undefined)?.observed === true;
}

function messageIn(body: string): Message | undefined {
  try {
    return readMessage(body);
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

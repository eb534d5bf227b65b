// Removal
// Taking away a request with its calls and questions, or a whole session.
//
//   Owns:          finding every row that goes, and what stays as the tombstone.
//   Does not own:  when (machines/routing/retention).
//
// S1.51 What goes, goes with all its rows; a session's ledger (its last version) stays until its tombstone goes.

import {
  type Address,
  callBooks,
  type CallId,
  childAddress,
  forget,
  parseAddress,
  type Remove,
} from "../machines/index.ts";
import type { ApprovalContext } from "../machines/index.ts";
import type { Snapshot } from "./actors.ts";
import { dropAlarms } from "./alarms.ts";
import type { Stage } from "./delivery.ts";
import { HOLD_TIMER } from "./holdback.ts";
import { keys } from "./keys.ts";
import { unlist } from "./listing.ts";
import type { Layer } from "./overlay.ts";
import type { SessionRecords } from "./session-records.ts";

const TIMERS = ["hung", "timeout", "removal", "deadline", "orphans", HOLD_TIMER];

function take(layer: Layer, address: Address): Snapshot | undefined {
  const snapshot = layer.get(keys.actor(address)) as Snapshot | undefined;
  if (!snapshot) return undefined;
  unlist(layer, parseAddress(address), address, snapshot);
  dropAlarms(layer, address, TIMERS);
  layer.delete(keys.actor(address));
  return snapshot;
}

export function removeActor(stage: Stage, home: Address, records: SessionRecords, what: Remove): void {
  if (what.kind === "session") removeSession(stage.layer, home);
  else if (what.kind === "request") removeRequest(stage, home, records, what.id);
}

function removeRequest(stage: Stage, home: Address, records: SessionRecords, id: string): void {
  const { layer, digest } = stage;
  const rows = [...layer.keys(keys.callsOfRequest(home, id))];
  for (const key of rows) {
    const callId = key.slice(key.lastIndexOf("/") + 1) as CallId;
    take(layer, childAddress(home, "call", callId));
    const book = callBooks.get(records, callId);
    if (book) forget(records, digest, callId, book);
    layer.delete(key);
  }
  for (const key of [...layer.keys(`actor/${home}/approval/`)]) {
    const address = key.slice("actor/".length) as Address;
    const snapshot = layer.get(key) as Snapshot | undefined;
    if (snapshot && (snapshot.context as ApprovalContext).requestId === id) take(layer, address);
  }
  take(layer, childAddress(home, "request", id));
  records.delete(`request/${id}`);
}

function removeSession(layer: Layer, home: Address): void {
  take(layer, home);
  for (const prefix of [keys.books(home), `actor/${home}/`, keys.callsOf(home), keys.heldOf(home)]) {
    for (const key of [...layer.keys(prefix)]) layer.delete(key);
  }
  layer.delete(keys.holdback(home));
}

// Forgetting
// The turn that removes one part of a session that a person wants forgotten.
//
//   Owns:          what remains of each row; refusing to forget a session that has not ended.
//   Does not own:  finding a session's rows (door/forget-door), removing actors (removal), removing old rows of logs
//                  (maintenance).
//   Decided in:    docs/decisions/0087-what-forgetting-leaves.md.
//
// FORGETTING-1. A session can be forgotten only if it has ended, and has no open request, no pending approval and no message
//     that is held back.
// FORGETTING-2. Each turn removes one request, in the same way as the turn in which the request's own deadline for removal
//     fires. The last turn removes the session. The ids of the session and its requests remain as long as those of any removed
//     actor, so that a late message is recognised as late.
// FORGETTING-3. An audit row keeps who decided what, when, on which approval. A dead letter keeps its number and its error
//     code. The content and the reason are removed from audit rows and dead letters. The past approval (a row under `past/`)
//     that was kept of an approval removed earlier is deleted.
// FORGETTING-4. A row of another session does not change, even if the message names this row.

import { type Address, parseAddress, type SessionContext } from "../../machines/index.ts";
import type { OwnMessage, SessionForgotten } from "../message.ts";
import { actorRow } from "../rows/actors/actor-rows.ts";
import { fireNow } from "../rows/alarms.ts";
import { type DeadLetter, isAbout } from "../rows/dead-letters.ts";
import { allWaiting } from "../rows/holdback-rows.ts";
import { keys } from "../rows/keys.ts";
import { ledger, noteUnreasoned } from "../rows/ledger.ts";
import { firstKeys, type Layer } from "../rows/overlay.ts";
import { regionOf } from "../rows/views.ts";
import { type Played, play } from "./playing.ts";
import { APPLIED, rejected, type Verdict } from "./verdict.ts";

/** The fields of an audit row that contain nothing of the call. */
const AUDIT_KEPT = [
  "n",
  "workspace",
  "sessionId",
  "position",
  "kind",
  "approvalId",
  "callId",
  "by",
  "decision",
  "at",
];

export function forgetPiece(turn: Played<OwnMessage>, { rows }: SessionForgotten): Verdict {
  const { layer, home } = turn;
  const reason = whyNot(layer, home);
  if (reason !== undefined) return rejected("SESSION_OPEN", reason);
  for (const key of rows) forgetRow(layer, home, key);
  if (ledger(layer, home).rejections.length > 0) noteUnreasoned(layer, home);
  const next = nextToGo(layer, home);
  if (next === undefined) return APPLIED;
  return play(turn, (attempts) => attempts.play(turn.message, [fireNow(layer, next, "removal")]));
}

/** FORGETTING-1. @returns why the session must not be removed now; undefined if it has ended or is removed. */
function whyNot(layer: Layer, home: Address): string | undefined {
  const row = actorRow(layer, home);
  if (!row) return undefined;
  // The cast is safe: the row is at a session's address, so its context is a session's.
  const { counts } = row.snapshot.context as SessionContext;
  if (regionOf(row.snapshot.value) !== "ended") return "it has not ended";
  if (counts.openRequests > 0) return "a request of it is open";
  if (counts.pendingApprovals > 0) return "an approval of it waits for an answer";
  return Object.keys(allWaiting(layer, home)).length > 0 ? "messages of it wait for earlier ones" : undefined;
}

function nextToGo(layer: Layer, home: Address): Address | undefined {
  const [request] = firstKeys(layer, keys.children(home, "request"), 1);
  if (request !== undefined) return request.slice(keys.actors.length) as Address;
  return actorRow(layer, home) && home;
}

function forgetRow(layer: Layer, home: Address, key: string): void {
  const row = rowIn(layer, key);
  if (key.startsWith(keys.pastApprovals)) {
    const [workspace = "", session = ""] = key.split("/").slice(2);
    if (`${workspace}/${session}` === home) layer.delete(key);
  } else if (key.startsWith(keys.audits)) {
    if (`${String(row["workspace"])}/${String(row["sessionId"])}` !== home) return;
    const kept = Object.fromEntries(
      AUDIT_KEPT.filter((name) => name in row).map((name) => [name, row[name]]),
    );
    layer.set(key, { ...kept, forgotten: true });
  } else if (key.startsWith(keys.deads)) forgetLetter(layer, home, key, row);
}

function forgetLetter(layer: Layer, home: Address, key: string, letter: Partial<DeadLetter>): void {
  const { workspace, session } = parseAddress(home);
  const { n, door, body = "", bytes = Buffer.byteLength(body) } = letter;
  if (n === undefined || !isAbout(letter, home, firstKeys(layer, keys.sessionOwners(session), 2))) return;
  const { path: _, headers: _headers, sha256: _sha256, session: _session, ...kept } = letter;
  // Only its body tells the workspace of an entry's dead letter. The body is removed, so the workspace is stored as a field.
  const place = door === undefined ? { workspace } : {};
  layer.set(key, { ...kept, ...place, reason: "The message's session was forgotten.", body: "", bytes });
  layer.delete(keys.buried(n));
}

function rowIn(layer: Layer, key: string): Readonly<Record<string, unknown>> {
  try {
    const row = layer.get(key);
    return typeof row === "object" && row !== null ? (row as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

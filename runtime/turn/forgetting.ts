// Forgetting
// The turn that removes part of a session, because a person wants the session forgotten.
//
//   Owns:          what remains of each row; refusing a session that is not over.
//   Does not own:  finding the rows (door/forget-door), removing actors (removal), logs that are removed by age (maintenance).
//   Decided in:    docs/decisions/0087-what-forgetting-leaves.md.
//
// FORGETTING-1. Only a session that has ended is forgotten: no request is open, no approval is pending, no message waits.
// FORGETTING-2. Each turn removes one request as its timer would; the last turn removes the session. Their ids are kept as long
//     as any removed id, so that a late message is recognised as late.
// FORGETTING-3. An audit row keeps who decided what, when, on which approval; a dead letter keeps its number and error code.
//     Both lose what was asked and the reason. The kept copy of an approval that was removed earlier is deleted.
// FORGETTING-4. A row of another session remains as it is, whatever the message names.

import { type Address, parseAddress, type SessionContext } from "../../machines/index.ts";
import type { OwnMessage, SessionForgotten } from "../message.ts";
import { actorRow } from "../rows/actors/actor-rows.ts";
import { fireNow } from "../rows/alarms.ts";
import type { DeadLetter } from "../rows/dead-letters.ts";
import { allWaiting } from "../rows/holdback-rows.ts";
import { keys } from "../rows/keys.ts";
import { ledger, noteUnreasoned } from "../rows/ledger.ts";
import { firstKeys, type Layer } from "../rows/overlay.ts";
import { regionOf } from "../rows/views.ts";
import { type Played, play } from "./playing.ts";
import type { Verdict } from "./verdict.ts";

const APPLIED: Verdict = { outcome: "applied" };

/** The fields of an audit row that contain nothing of what was asked. */
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
  if (reason !== undefined) return { outcome: "rejected", code: "SESSION_OPEN", reason };
  for (const key of rows) forgetRow(layer, home, key);
  if (ledger(layer, home).rejections.length > 0) noteUnreasoned(layer, home);
  const next = nextToGo(layer, home);
  if (next === undefined) return APPLIED;
  return play(turn, (attempts) => {
    attempts.play(turn.message, [fireNow(layer, next, "removal")]);
  });
}

/** FORGETTING-1. @returns why the session is not over yet; undefined if it is over or removed. */
function whyNot(layer: Layer, home: Address): string | undefined {
  const row = actorRow(layer, home);
  if (!row) return undefined;
  // The cast is safe: only sessions have such an address.
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

/** FORGETTING-3, FORGETTING-4 */
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
  const { n, body = "", bytes = Buffer.byteLength(body) } = letter;
  if (n === undefined || !isOf(body, home)) return;
  const { path: _, headers: _headers, sha256: _sha256, ...kept } = letter;
  const { workspace } = parseAddress(home);
  layer.set(key, { ...kept, workspace, reason: "Its session was forgotten.", body: "", bytes });
  layer.delete(keys.buried(n));
}

/** True for an entry of the session, or a refused message that names the session as its own. @param body a letter's. */
export function isOf(body: string, home: Address): boolean {
  const { workspace, session } = parseAddress(home);
  const isEntry = ["in", "own"].some((door) =>
    body.startsWith(`{"door":"${door}","workspace":"${workspace}","session":"${session}",`),
  );
  return (
    isEntry || new RegExp(`"subject"\\s*:\\s*"${home}"|"session(?:_id|Id)"\\s*:\\s*"${session}"`).test(body)
  );
}

function rowIn(layer: Layer, key: string): Readonly<Record<string, unknown>> {
  try {
    const row = layer.get(key);
    return typeof row === "object" && row !== null ? (row as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

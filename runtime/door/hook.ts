// Hook
// Turns a client's hook payload into the message that goes into the journal.
//
//   Owns:          finding the client and session of the message; making the message's id, because a hook payload has no id of
//                  its own.
//   Does not own:  the payload's form (client-profile), limits and shortening (admit), finding the workspace (workspace).

import type { SessionId } from "../../machines/index.ts";
import type { Clients } from "../clients.ts";
import { RefusedError } from "../errors/errors.ts";
import type { SourceMessage } from "../message.ts";
import type { GateNote } from "./gate-terms.ts";
import type { Ids } from "../ports.ts";
import { readRaw } from "./admit.ts";
import { unknownType } from "./envelope.ts";
import { checkNumbers } from "./parse.ts";
import { parseBytes } from "./parse.ts";
import type { Whereabouts, Workspaces } from "./workspace.ts";

export interface HookSays extends Whereabouts {
  /** The name of the client that ran the hook (CLIENTS-2). */
  readonly client?: string;
  /** The message's id, if the message may be sent twice. */
  readonly id?: string;
  /** The id of the session, used if the payload names none. */
  readonly session?: string;
  /** When the hook ran, ms. */
  readonly time?: number;
  /** Present if the hook waits for an answer, or has answered its client without one. */
  readonly gate?: GateNote;
  /** Present if another gate asks about the client's calls: about all calls, or about those where the client asks a person. */
  readonly gated?: "all" | "permission";
}

/** Called with a hook's message and its sender. Must neither throw nor wait. */
export type HearHook = (message: SourceMessage, by: string) => void;

export interface HookReading {
  readonly clients: Clients;
  readonly ids: Ids;
  readonly workspaces: Workspaces;
}

/** @throws RefusedError for a payload that is unreadable, names no session, or is of an unknown client. */
export function readHookMessage(
  body: Uint8Array,
  { client: name, id, time, gate, gated, session: other, ...says }: HookSays,
  { clients, ids, workspaces }: HookReading,
): SourceMessage {
  const client = clients.named(name);
  if (!client) throw unknownType(`${name ?? "any"}.hook`, clients);
  const { eventField, sessionField, read } = client.hook;
  const sent = bare(parseBytes(body), eventField);
  if (gate) checkNumbers(body);
  const payload = other === undefined ? sent : within({ [sessionField]: other }, sent);
  const { sessionId, cwd } = read(payload);
  if (sessionId === undefined) throw noSession(sessionField);
  // The cast is safe: the adapter of the client returns only valid ids.
  const session = sessionId as SessionId;
  const workspace = workspaces.of(session, { ...(cwd !== undefined && { folder: cwd }), ...says });
  const beside = { ...(gate && { gate }), ...(gated && { gated }) };
  const said = gate || gated ? { hook: payload, ...beside } : payload;
  const message = readRaw(said, body.length, client, { id: id ?? ids.uuid(), workspace, session });
  return time === undefined ? message : { ...message, time };
}

/** S2.75: takes the payload out of `{"hook": …}`. A hook's payload arrives alone or in this wrapper. */
function bare(payload: unknown, eventField: string): unknown {
  const isWrapped = typeof payload === "object" && payload !== null && "hook" in payload;
  return isWrapped && !(eventField in payload) ? payload.hook : payload;
}

/** Adds the session that the sender named to a payload, unless the payload itself names one. */
const within = (named: object, payload: unknown): unknown =>
  typeof payload !== "object" || payload === null ? payload : { ...named, ...payload };

const noSession = (field: string): RefusedError =>
  new RefusedError("WRONG_SHAPE", `${field} is missing.`, "Send the payload as the client wrote it.", field);

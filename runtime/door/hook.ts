// Hook
// Turns a client's hook payload into the message that is journalled.
//
//   Owns:          whose it is, and the id it gets: hooks carry no id of their own.
//   Does not own:  its content (given by compose), limits and cutting (admit), its workspace (workspace).

import type { SessionId } from "../../machines/index.ts";
import { RefusedError } from "../errors/errors.ts";
import type { SourceMessage } from "../message.ts";
import type { GateNote } from "./gate-terms.ts";
import type { Ids } from "../ports.ts";
import { readRaw } from "./admit.ts";
import { parseBytes } from "./parse.ts";
import type { Whereabouts, Workspaces } from "./workspace.ts";

/** The session a raw payload is about, as its client's adapter reads it. @throws RefusedError if it cannot. */
export type ReadHook = (payload: unknown) => { readonly sessionId?: string; readonly cwd?: string };

/** What is said beside a payload by whoever brings it. */
export interface HookSays extends Whereabouts {
  /** The message's id, where it may be brought twice. */
  readonly id?: string;
  /** The session, where the payload names none. */
  readonly session?: string;
  /** When the client said it, ms. */
  readonly time?: number;
  /** The hook waits for an answer, or has answered by itself. */
  readonly gate?: GateNote;
  /** The hook does not wait, and its client is to ask a gate of ours: about every call, or where it would ask a person. */
  readonly gated?: "all" | "permission";
}

/** Told of a hook's message, and by whom it was sent. It must neither throw nor wait. */
export type HearHook = (message: SourceMessage, by: string) => void;

export interface HookReading {
  readonly readHook: ReadHook;
  readonly ids: Ids;
  readonly workspaces: Workspaces;
}

/** @throws RefusedError for a payload that is unreadable, or names no session. */
export function readHookMessage(
  body: Uint8Array,
  { id, time, gate, gated, session: other, ...says }: HookSays,
  { readHook, ids, workspaces }: HookReading,
): SourceMessage {
  const payload = within(other, bare(parseBytes(body)));
  const raw = { id: id ?? ids.uuid(), source: "claude-code", type: "claude-code.hook" };
  const { sessionId, cwd } = readHook(payload);
  if (sessionId === undefined) throw noSession();
  // The adapter returns ids in the form allowed here.
  const session = sessionId as SessionId;
  const workspace = workspaces.of(session, { ...(cwd !== undefined && { folder: cwd }), ...says });
  const beside = { ...(gate && { gate }), ...(gated && { gated }) };
  const said = gate || gated ? { hook: payload, ...beside } : payload;
  const message = readRaw(said, body.length, { ...raw, workspace, session });
  return time === undefined ? message : { ...message, time };
}

/** S2.75: a hook's payload comes bare, or as `{"hook": …}`. */
function bare(payload: unknown): unknown {
  const isWrapped = typeof payload === "object" && payload !== null && "hook" in payload;
  return isWrapped && !("hook_event_name" in payload) ? payload.hook : payload;
}

/** What the payload says of its session goes first. */
const within = (session: string | undefined, payload: unknown): unknown =>
  session === undefined || typeof payload !== "object" || payload === null
    ? payload
    : { session_id: session, ...payload };

const noSession = (): RefusedError =>
  new RefusedError(
    "WRONG_SHAPE",
    "session_id is missing.",
    "Send the payload as the client wrote it.",
    "session_id",
  );

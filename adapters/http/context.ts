// Context
// What all HTTP routes share.
//
//   Owns:          what server and guard pass to the routes, the form of answers and failures, finding the workspace of an id.
//   Does not own:  the content of answers (the routes), the status and the body of a failure (runtime/errors/failure).

import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import type { Door } from "../../runtime/door/door.ts";
import type { Logs } from "../../runtime/door/logs.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import type { Gate } from "../../runtime/gate/gate.ts";
import type { Clock } from "../../runtime/ports.ts";
import type { ReadLines } from "../../runtime/reading/around/file-lines.ts";
import type { ReadConversation } from "../../runtime/reading/conversation.ts";
import type { HandedOver, Standing } from "../../runtime/cluster/standing.ts";
import type { Peers } from "../../runtime/peers/peers.ts";
import type { Preview } from "../../runtime/reading/preview.ts";
import type { Queries } from "../../runtime/reading/queries.ts";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import { type Failure, failureOf } from "../../runtime/errors/failure.ts";
import type { Trouble } from "../../runtime/errors/trouble.ts";
import type { Sample } from "../../runtime/sample/sample.ts";
import type { Series } from "../../runtime/reading/figures/series.ts";
import type { Followers } from "./followers.ts";
import type { ForgetDoor } from "../../runtime/door/forget-door.ts";
import type { Handshakes } from "./access/handshakes.ts";
import type { Holder } from "./access/holders.ts";
import type { Place } from "./places.ts";
import { homeWithin, type Reach } from "../../runtime/workspace-reach.ts";
import type { Within } from "../../runtime/reading/lookup.ts";
import { defined } from "../../machines/index.ts";
import type { Tally } from "./tally.ts";

export interface Inside {
  readonly engine: Engine;
  readonly queries: Queries;
  readonly preview: Preview;
  readonly series: Series;
  readonly door: Door;
  readonly logs: Logs;
  readonly gate: Gate;
  readonly forgetting: ForgetDoor;
  readonly sample: Sample;
  readonly clock: Clock;
}

export interface Counters {
  /** How many hooks were answered although the journal did not take their messages, which are lost. */
  hooksDropped: number;
  /** How many hooks were answered before it was known whether the journal takes their messages. */
  hooksLate: number;
}

export interface Serving extends Inside {
  readonly followers: Followers;
  readonly counters: Counters;
  readonly tally: Tally;
  readonly isReady: () => boolean;
  /** What does not work in the engine at the moment, the most important trouble first. */
  readonly troubles: () => readonly Trouble[];
  /** This engine's role among those that share its journal. Absent for an engine that does not share its journal. */
  readonly standing?: () => Standing | undefined;
  /** Hands the journal over to a spare; with a time, ends the owner's term instead. Absent without a shared journal. */
  readonly handOver?: (upgradeWaitMs?: number) => Promise<HandedOver>;
  readonly waitsFor: () => Trouble | undefined;
  /** Reads a session's conversation. Absent if the engine may read no transcript. */
  readonly conversation?: ReadConversation;
  /** Reads lines of a project's files. Absent if the engine may read no file of a project. */
  readonly lines?: { readonly read: ReadLines };
  /** The newest checkpoint of the audit log. Absent for an engine without such a log. */
  readonly auditHead?: () => Promise<string | undefined>;
  /** The counters of other parts of this process, by the names of their metrics. */
  readonly counts?: () => Readonly<Record<string, number>>;
  readonly handshakes: Handshakes;
  /** The other engines whose sessions this engine shows in addition to its own. */
  readonly peers?: Peers;
  /** Called with every error that the sender did not cause. */
  readonly onError: (error: unknown) => void;
}

interface Whole {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers: Headers;
}

/** Headers by name. A list of values becomes several headers with the same name. */
type Headers = Readonly<Record<string, string | readonly string[]>>;

export interface Env {
  /** `whole` is the complete answer, which the answer writer writes (ANSWER-WRITER-2). */
  Bindings: HttpBindings & { whole?: Whole };
  Variables: {
    holder: Holder;
    place: Place;
  };
}

export const reachOf = (c: Context<Env>): Reach => c.get("holder").access.workspaces;

export const givenIn = (c: Context<Env>): URLSearchParams => new URL(c.req.url).searchParams;

export const TEXT = "text/plain; charset=UTF-8";

export function answerWith(
  c: Context<Env>,
  status: number,
  body: Whole["body"],
  type: string,
  headers: Headers = {},
): Response {
  c.env.whole = { status, body, headers: { "Content-Type": type, ...headers } };
  return RESPONSE_ALREADY_SENT;
}

export function answer(c: Context<Env>, status: number, body: object, headers: Headers = {}): Response {
  return answerWith(c, status, JSON.stringify(body), "application/json", headers);
}

export function answerEvents(
  c: Context<Env>,
  handshakes: Handshakes,
  events: ReadableStream<Uint8Array>,
): Response {
  return c.body(handshakes.proving(c.env.incoming, events), 200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    Connection: "close",
    // `X-Accel-Buffering: no` tells a proxy not to buffer the answer. A proxy that buffers would hold back every event.
    "X-Accel-Buffering": "no",
  });
}

export function answerFailure(c: Context<Env>, cause: unknown, extra: object = {}): Response {
  const failure = failureOf(cause);
  return answer(c, failure.status, { ...extra, ...failure.body }, headersOf(failure));
}

export function headersOf({ status, retryAfterS }: Failure): Record<string, string> {
  return {
    ...(retryAfterS !== undefined && { "Retry-After": String(retryAfterS) }),
    ...(status === 413 && { Connection: "close" }),
    ...(status === 401 && { "WWW-Authenticate": "Bearer" }),
  };
}

export const notReady = (): RetryableError =>
  new RetryableError("NOT_READY", "The engine is starting or stopping.", "Ask again shortly.", 1000);

export const noSuchRoute = (): RefusedError =>
  new RefusedError(
    "NO_SUCH_ROUTE",
    "There is no such route.",
    "Routes are, among others, /v1/sessions, /v1/requests, /v1/tool-calls, /v1/approvals, /v1/events, /v1/stream.",
  );

/** @param named the workspace that the request itself names. @throws RefusedError NOT_ALLOWED, WORKSPACE_NEEDED */
export function approvalHome(c: Context<Env>, queries: Queries, id: string, named?: string): Within {
  const isThere = (workspace: string): boolean => queries.getApproval(id, { workspace }) !== undefined;
  return defined({ workspace: homeWithin(reachOf(c), named, isThere) });
}

export function ruleHome(c: Context<Env>, queries: Queries, id: string, named?: string): Within {
  const isThere = (workspace: string): boolean => queries.rules.get(id, { workspace }) !== undefined;
  return defined({ workspace: homeWithin(reachOf(c), named, isThere) });
}

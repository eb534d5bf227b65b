// Context
// What all routes share.
//
//   Owns:          what the routes get from the server, what the guard has found out about a request.
//   Does not own:  answering requests.

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
import { failureOf } from "../../runtime/errors/failure.ts";
import { headersOf } from "./errors.ts";
import type { Trouble } from "../../runtime/errors/trouble.ts";
import type { Sample } from "../../runtime/sample/sample.ts";
import type { Series } from "../../runtime/reading/figures/series.ts";
import type { Followers } from "./followers.ts";
import type { ForgetDoor } from "../../runtime/door/forget-door.ts";
import type { Handshakes } from "./access/handshakes.ts";
import type { Holder } from "./access/holders.ts";
import type { Place } from "./places.ts";
import type { Reach } from "../../runtime/workspace-reach.ts";
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

/** The counters that only this server has. */
export interface Counters {
  /** Hooks that were answered before their journalling failed. */
  hooksDropped: number;
  hooksLate: number;
}

export interface Serving extends Inside {
  readonly followers: Followers;
  readonly counters: Counters;
  readonly tally: Tally;
  /** Whether messages can be accepted now. */
  readonly isReady: () => boolean;
  /** What does not work at the moment, most important first. */
  readonly troubles: () => readonly Trouble[];
  /** The engine's role among the engines on its journal; undefined if it is alone. */
  readonly standing?: () => Standing | undefined;
  /** Hands the journal over to a spare; with a time, ends the owner's term for another version. Absent for an engine alone. */
  readonly handOver?: (upgradeWaitMs?: number) => Promise<HandedOver>;
  /** What a start still waits for. */
  readonly waitsFor: () => Trouble | undefined;
  /** Reads the conversation of a session; absent if no transcript may be read. */
  readonly conversation?: ReadConversation;
  /** Reads the lines of the file around an edit; absent if no file of a project may be read. */
  readonly lines?: { readonly read: ReadLines };
  /** The newest checkpoint of the audit log; undefined if there is none. Absent for an engine without such a log. */
  readonly auditHead?: () => Promise<string | undefined>;
  /** The counters of other parts of this process, by the names of their metrics. */
  readonly counts?: () => Readonly<Record<string, number>>;
  readonly handshakes: Handshakes;
  /** The other engines whose sessions are shown here, too. */
  readonly peers?: Peers;
  /** Called with every error that the sender did not cause. */
  readonly onError: (error: unknown) => void;
}

/** An answer that is not a stream. */
interface Whole {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers: Headers;
}

/** Headers by name. A list of values becomes several headers with the same name. */
type Headers = Readonly<Record<string, string | readonly string[]>>;

export interface Env {
  /** `whole` is the answer to write (ANSWER-WRITER-2). */
  Bindings: HttpBindings & { whole?: Whole };
  Variables: {
    holder: Holder;
    place: Place;
  };
}

export const reachOf = (c: Context<Env>): Reach => c.get("holder").access.workspaces;

export const TEXT = "text/plain; charset=UTF-8";

/** Hands an answer to the answer writer. @param type the type of the content. */
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

export function answerFailure(c: Context<Env>, cause: unknown, extra: object = {}): Response {
  const failure = failureOf(cause);
  return answer(c, failure.status, { ...extra, ...failure.body }, headersOf(failure));
}

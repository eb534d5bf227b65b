// Writing
// The routes that accept messages: events, hooks, decisions, assignments, and the client's own telemetry, which arrives as
// OpenTelemetry logs over HTTP.
//
//   Owns:          the bodies and answers of the routes that accept messages.
//   Does not own:  which messages are accepted, which events are read from a body (runtime/door).
//
// WRITING-1. The sender of a message gets its answer once the turn that applied the message is committed, but a hook gets its
//     answer as soon as its payload is in the journal.
// WRITING-2. A trouble of an engine that owns its journal never delays or refuses a client's hook. The hook gets `{}` (no
//     decision) within two seconds, or at once if it is known that the journal takes no messages, and the metrics count such
//     hooks. An engine that stands by for another one refuses hooks.
// WRITING-3. If some records of the client's telemetry cannot be read, the answer says how many, and why. Its status is 200 all
//     the same, so that the sender does not send these records again, which would be useless.

import type { Context, Hono } from "hono";
import { defined } from "../../machines/index.ts";
import { TELEMETRY_ROUTE } from "../../runtime/access-token.ts";
import { placeWithin, WORKSPACE_HEADER } from "../../runtime/workspace-reach.ts";
import type { Reply } from "../../runtime/turn/turn-result.ts";
import { parametersOf } from "../../runtime/reading/parameters.ts";
import { tooLarge, RAW_BYTES_MAX } from "../../runtime/limits.ts";
import { assign } from "../../runtime/door/assignment.ts";
import { decided } from "../../runtime/door/decision.ts";
import { dismissLetters } from "../../runtime/door/dismissal.ts";
import { keyOf } from "../../runtime/door/keyed.ts";
import type { Caller, Taken } from "../../runtime/door/door.ts";
import { GATE_MS } from "../../runtime/gate/times.ts";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import { ID_REUSED, NEXT_FOR_REUSED } from "../../runtime/errors/id-reused.ts";
import { anyNews, settling, waitFor } from "../../runtime/wait-for.ts";
import { readBody } from "./body.ts";
import {
  answer,
  answerFailure,
  approvalHome,
  type Env,
  givenIn,
  headersOf,
  notReady,
  type Serving,
} from "./context.ts";
import { failureOf } from "../../runtime/errors/failure.ts";
import { takesMessages } from "./health.ts";

/** The longest body: a payload of the greatest length, with an envelope around it. */
const BODY_BYTES_MAX = RAW_BYTES_MAX + 64 * 1024;
/** The path of the hooks' route; the client's name follows. */
export const HOOKS_PATH = "/v1/hooks/";

export function writingRoutes(app: Hono<Env>, serving: Serving): void {
  const { door, engine, clock, sample, tally } = serving;
  app.post("/v1/events", async (c) => {
    const caller = callerOf(c);
    const body = await bodyOf(c, serving, caller);
    const cameAt = clock.monotonic();
    const { isList, taken } = await door.events(body, caller);
    tally.answered("write", clock.monotonic() - cameAt);
    return isList ? answerList(c, taken) : answerOne(c, taken);
  });
  for (const { name } of door.clients.profiles)
    app.post(`${HOOKS_PATH}${name}`, async (c) => takeHook(c, serving, name));
  const said = { decision: door.decision.bind(door), assignment: assign.bind(undefined, door) };
  for (const [what, take] of Object.entries(said))
    app.post(`/v1/approvals/:id/${what}`, async (c) => {
      const id = c.req.param("id");
      const { workspace: named } = parametersOf(givenIn(c), ["workspace"]);
      const within = approvalHome(c, serving.queries, id, named);
      const caller = callerOf(c);
      const reply = await take(id, await bodyOf(c, serving, caller), caller, within);
      const { body, error } = decided(id, reply, what);
      return error ? answerFailure(c, error, body) : answer(c, 200, body);
    });
  app.post("/v1/sample", (c) => {
    if (!engine.isReady) throw notReady();
    sample.begin(c.get("holder").name);
    return answer(c, 202, {});
  });
  app.post("/v1/dead-letters/dismissal", async (c) => {
    const caller = callerOf(c);
    return answer(c, 200, await dismissLetters(door, await bodyOf(c, serving, caller), caller));
  });
  app.post("/v1/dead-letters/:n/retry", async (c) => {
    const { isList, taken } = await door.retry(Number(c.req.param("n")), callerOf(c));
    if (taken.length === 0) return answer(c, 200, {});
    return isList ? answerList(c, taken) : answerOne(c, taken);
  });
  app.post(TELEMETRY_ROUTE, async (c) => {
    const caller = callerOf(c);
    const { rejected, why } = await serving.logs.take(await bodyOf(c, serving, caller), caller);
    if (rejected === 0) return answer(c, 200, {});
    return answer(c, 200, {
      partialSuccess: {
        rejectedLogRecords: String(rejected),
        ...(why !== undefined && { errorMessage: why }),
      },
    });
  });
}

/** @throws RefusedError for a malformed idempotency key. */
export function callerOf(c: Context<Env>): Caller {
  return { ...hookCallerOf(c), ...keyOf(c.req.header("Idempotency-Key")) };
}

function hookCallerOf(c: Context<Env>): Caller {
  const { name: by, access } = c.get("holder");
  const { workspaces: reach } = access;
  const traceparent = c.req.header("traceparent");
  return { door: `http:${c.req.path}`, by, ...defined({ reach, traceparent }) };
}

/**
 * @throws RefusedError TOO_LARGE, after writing a dead letter; UNAUTHENTICATED if the request's proof does not cover the body.
 */
export async function bodyOf(
  c: Context<Env>,
  { door, handshakes }: Serving,
  caller: Caller,
): Promise<Uint8Array> {
  const body = await readBody(c.env.incoming, BODY_BYTES_MAX);
  if ("whole" in body) {
    handshakes.checkBody(c.env.incoming, body.whole);
    return body.whole;
  }
  const error = tooLarge(body.bytes, BODY_BYTES_MAX);
  await door.refusals.record(error, { ...caller, body: body.head, bytes: body.bytes });
  throw error;
}

function told({ position, outcome, reason, waitsFor, warning, answers }: Reply): object {
  return {
    position,
    outcome,
    ...(waitsFor !== undefined && { waitsFor }),
    ...(reason !== undefined && { reason }),
    ...(warning && { warning }),
    ...(answers.length > 0 && { answers }),
  };
}

function answerOne(c: Context<Env>, [taken]: readonly Taken[]): Response {
  if (!taken || "refused" in taken) return answerFailure(c, taken?.refused);
  const { outcome, reason = "", code = "REJECTED", path } = taken.reply;
  if (outcome === "applied" || outcome === "duplicate") return answer(c, 200, told(taken.reply));
  if (outcome === "held") return answer(c, 202, told(taken.reply));
  return answerFailure(c, new RefusedError(code, reason, nextFor(outcome, code), path), told(taken.reply));
}

function nextFor(outcome: Reply["outcome"], code: string): string {
  if (code === ID_REUSED) return NEXT_FOR_REUSED;
  return outcome === "dead"
    ? "The message became a dead letter; nothing else changed."
    : "The message was recorded as rejected; nothing else changed.";
}

function answerList(c: Context<Env>, taken: readonly Taken[]): Response {
  const results = taken.map((each) => {
    if ("refused" in each) return { outcome: "refused", error: failureOf(each.refused).error };
    const { code, path } = each.reply;
    return { ...told(each.reply), ...(code !== undefined && { code }), ...(path !== undefined && { path }) };
  });
  const refused = taken.flatMap((each) => ("refused" in each ? [failureOf(each.refused)] : []));
  const [first] = refused;
  if (!first) return answer(c, 200, { results });
  const status = refused.length < taken.length ? 207 : first.status;
  return answer(c, status, { results, error: first.error }, headersOf(first));
}

async function takeHook(c: Context<Env>, serving: Serving, client: string): Promise<Response> {
  const { door, engine, clock, counters, onError } = serving;
  const { refusal } = engine.mandate;
  if (refusal) throw refusal;
  const caller = hookCallerOf(c);
  const workspace = placeWithin(caller.reach, c.req.header(WORKSPACE_HEADER) || undefined);
  const read = bodyOf(c, serving, caller);
  const taken = read.then((body) => door.hook(body, { client, ...(workspace && { workspace }) }, caller));
  const isHeldUp = engine.isReady && !takesMessages(serving);
  const done = isHeldUp ? Promise.race([read, taken]) : taken;
  try {
    const ended = await waitFor(settling(done), anyNews, { clock, ms: GATE_MS.hook });
    if (ended === "met") await done;
    if (ended === "met" && !isHeldUp) return answer(c, 200, {});
    counters.hooksLate += 1;
    taken.catch(onError);
    return answer(c, 200, {}, { "Signalbox-Dropped": "LATE" });
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    counters.hooksDropped += 1;
    if (!(error instanceof RetryableError)) onError(error);
    return answer(c, 200, {}, { "Signalbox-Dropped": failureOf(error).error.code });
  }
}

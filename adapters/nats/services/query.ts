// Query
// Serves the engine's queries as a NATS service (ADR-32): clients can discover the service, describe it and read its counts.
//
//   Owns:          the endpoints, fitting a page into one message.
//   Does not own:  the queries and their answers (runtime/reading), the form of an error (reply).
//
// QUERY-1. A query on a workspace's own subjects is answered from that workspace alone.
// QUERY-2. If a page is too long for one message, a shorter page is sent, with the cursor of the next page; no item is cut off.
// QUERY-3. Queries are answered one at a time. If 256 queries wait, or 64 of one workspace, the next query is refused, and its
//     caller is told when to try again.
// QUERY-4. A query about a workspace of another partition is refused, because an empty list would be a wrong answer.

import type { NatsConnection, Service } from "nats";
import { checkPartition } from "../../../runtime/cluster/partition.ts";
import { parseBody } from "../../../runtime/door/parse.ts";
import { type Given, givenIn } from "../../../runtime/reading/parameters.ts";
import {
  type Asked as QueryAsked,
  type QueryResult,
  ask,
  isOp,
  type Op,
  OPS,
  QUERIES,
} from "../../../runtime/reading/query-table.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { ChangePage } from "../../../runtime/reading/following.ts";
import { failureOf, isOurs } from "../../../runtime/errors/failure.ts";
import { subjects } from "../../../runtime/rows/subjects.ts";
import { Lane, laneFull } from "./lane.ts";
import { known } from "../connect.ts";
import { answer, answerFailure, type Asked, badReply, encode, isMisled } from "./reply.ts";

export interface QueryServing extends QueryAsked {
  readonly connection: NatsConnection;
  readonly version: string;
  /** Called with every error that the sender did not cause. */
  readonly onError: (error: unknown) => void;
}

export interface Stoppable {
  stop(): Promise<void>;
}

const NAME = "signalbox";
const DESCRIPTION = "The state of AI coding-agent sessions: requests, tool calls, approvals, history.";
const LANE = { atOnce: 1, waiting: 256, ofOne: 64 };
const QUERY_BYTES_MAX = 16 * 1024;
/** How many bytes of a message are reserved for the answer's headers. */
const HEADER_BYTES = 4 * 1024;
const PAYLOAD_BYTES = 1024 * 1024;

export async function serveQueries(serving: QueryServing): Promise<Stoppable> {
  const { connection, version, onError } = serving;
  const lane = new Lane(LANE, onError);
  const errors = new Map<string, { errors: number; lastError?: string }>();
  const service = await connection.services.add({
    name: NAME,
    version,
    description: DESCRIPTION,
    // The NATS client counts an error only if the handler throws at once. This service's handler answers later, so it counts
    // errors itself.
    statsHandler: ({ subject }) => Promise.resolve(errors.get(subject) ?? { errors: 0 }),
  });
  const fail = (asked: Asked, op: Op, error: unknown): void => {
    // Errors are counted by kind of query, not by the subject that a caller used: callers can name any number of workspaces in a
    // subject, and would fill the memory.
    const subject = subjects.query(op);
    const counted = errors.get(subject)?.errors ?? 0;
    errors.set(subject, { errors: counted + 1, lastError: failureOf(error).error.code });
    if (isOurs(error)) onError(error);
    answerFailure(asked, error);
  };
  const take = (asked: Asked, op: Op, workspace?: string): void => {
    const work = (): Promise<void> =>
      answered(serving, op, asked, workspace).catch((cause: unknown) => fail(asked, op, cause));
    if (!lane.take(work, workspace)) fail(asked, op, laneFull());
  };
  const group = service.addGroup(subjects.queries);
  for (const op of OPS) {
    group.addEndpoint(op.replaceAll(".", "-"), {
      subject: op,
      metadata: { parameters: QUERIES[op].parameters.join(",") },
      handler: (error, asked) => {
        if (error) return onError(error);
        take(asked, op);
      },
    });
  }
  const kept = connection.subscribe(subjects.asks, {
    queue: NAME,
    callback(error, asked) {
      const where = subjects.readAsk(asked.subject);
      if (error) onError(error);
      else if (!where || !isOp(where.op)) answerFailure(asked, noSuchQuery());
      else take(asked, where.op, where.workspace);
    },
  });
  const others = connection.subscribe(`${subjects.queries}.>`, {
    queue: NAME,
    callback(error, asked) {
      if (error) onError(error);
      else if (!isOp(asked.subject.slice(subjects.queries.length + 1))) answerFailure(asked, noSuchQuery());
    },
  });
  watch(service, onError);
  await known(connection);
  return {
    async stop() {
      const open = [kept, others].filter((each) => !each.isClosed());
      await Promise.all([service.stop(), ...open.map((each) => each.drain())]);
      await lane.idle();
    },
  };
}

/** Reports the error if a service ends by itself, for example because the server forbids a subject. */
function watch(service: Service, onError: (error: unknown) => void): void {
  service.stopped.then((error) => {
    if (error) onError(error);
  }, onError);
}

/** @throws what `ask` throws; RefusedError ANSWER_TOO_LARGE, OTHER_PARTITION. */
async function answered(serving: QueryServing, op: Op, asked: Asked, workspace?: string): Promise<void> {
  if (isMisled(asked)) throw badReply();
  await serving.engine.mandate.fresh.confirm();
  if (workspace !== undefined) checkPartition(serving.engine.meta().configuration.partition, workspace);
  // An empty payload means no parameters.
  const given = asked.data.length === 0 ? [] : givenIn(parseBody(asked.data, () => false, QUERY_BYTES_MAX));
  const room = (serving.connection.info?.max_payload ?? PAYLOAD_BYTES) - HEADER_BYTES;
  let found = await ask(serving, op, given, workspace);
  let body = encode(found.body);
  while (body.length > room) {
    found =
      withoutLarge(found) ?? (await ask(serving, op, shorter(given, found, body.length, room), workspace));
    body = encode(found.body);
  }
  const { change, version } = found;
  answer(asked, body, {
    "Signalbox-Change": change,
    ...(version !== undefined && { "Signalbox-Version": String(version) }),
  });
}

/** The query for a shorter page (QUERY-2). @throws RefusedError ANSWER_TOO_LARGE if the page has only one item. */
function shorter(given: Given, { body }: QueryResult, bytes: number, room: number): Given {
  const items = "items" in body && Array.isArray(body.items) ? body.items.length : 0;
  if (items <= 1) throw answerTooLarge(bytes, room);
  const limit = Math.max(1, Math.min(items - 1, Math.floor((items * room) / bytes)));
  return [...[...given].filter(([name]) => name !== "limit"), ["limit", String(limit)]];
}

/** The page without its only change, which no message can carry. The change counts as unreadable, so later changes can follow. */
function withoutLarge({ body, ...found }: QueryResult): QueryResult | undefined {
  if (!("next" in body && "items" in body && Array.isArray(body.items)) || body.items.length !== 1)
    return undefined;
  const { unreadable = 0 } = body as Partial<ChangePage>;
  return { ...found, body: { ...body, items: [], unreadable: unreadable + 1 } };
}

const noSuchQuery = (): RefusedError =>
  new RefusedError("NO_SUCH_QUERY", "There is no such query.", `Ask one of ${OPS.join(", ")}.`);

const answerTooLarge = (bytes: number, room: number): RefusedError =>
  new RefusedError(
    "ANSWER_TOO_LARGE",
    `The answer has ${bytes} bytes, but a message on this server can have only ${room}.`,
    "Send the query over HTTP, or raise the server's max_payload.",
  );

// Decide
// Takes approvers' decisions over NATS: the subject names the approver, and the server decides who may publish on the subject.
//
//   Owns:          the subject of a decision, its idempotency key (by which a repeat is recognised), the reply.
//   Does not own:  the decision itself (runtime/door), who may publish as which approver (the server's permissions).
//   Decided in:    docs/decisions/0022-who-decides-over-nats.md.
//
// SERVICES-DECIDE-1. A decision counts even if nobody waits for the reply. A decision that cannot be applied becomes a dead
//     letter.
// SERVICES-DECIDE-2. The subject names the approver; the payload never does.

import type { NatsConnection } from "nats";
import { decided } from "../../../runtime/door/decision.ts";
import type { Caller, Door } from "../../../runtime/door/door.ts";
import { keyOf } from "../../../runtime/door/keyed.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { failureOf, isOurs } from "../../../runtime/errors/failure.ts";
import { subjects } from "../../../runtime/rows/subjects.ts";
import { Lane, laneFull } from "./lane.ts";
import type { Stoppable } from "./query.ts";
import { known } from "../connect.ts";
import { badHeaders, headBytes, headerLines } from "../headers.ts";
import { answer, answerFailure, type Asked, badReply, encode, isMisled, mayAnswer } from "./reply.ts";

export interface Deciding {
  readonly connection: NatsConnection;
  readonly door: Door;
  readonly onError: (error: unknown) => void;
}

const QUEUE = "signalbox";
/** How many decisions run or wait: as many run at the same time as one commit can contain. */
const LANE = { atOnce: 256, waiting: 1_024, ofOne: 512 };
/** The most bytes of headers that a decision may have: as many as Node accepts with a decision over HTTP. */
const HEAD_BYTES_MAX = 16 * 1024;

export async function serveDecisions({ connection, door, onError }: Deciding): Promise<Stoppable> {
  const lane = new Lane(LANE, onError);
  const refuse = async (asked: Asked, error: unknown): Promise<void> => {
    if (isOurs(error)) onError(error);
    if (mayAnswer(asked)) answerFailure(asked, error);
    else if (!(error instanceof RefusedError)) await recordRefusal(door, asked, error);
  };
  const subscription = connection.subscribe(subjects.decisions, {
    queue: QUEUE,
    callback(error, asked) {
      if (error) {
        onError(error);
        return;
      }
      const work = (): Promise<void> => decide(door, asked).catch((cause: unknown) => refuse(asked, cause));
      if (!lane.take(work, subjects.workspaceIn(asked.subject)))
        void refuse(asked, laneFull()).catch(onError);
    },
  });
  await known(connection);
  return {
    async stop() {
      if (!subscription.isClosed()) await subscription.drain();
      await lane.idle();
    },
  };
}

/** Applies a decision. @throws RefusedError, after a dead letter was written; RetryableError. */
async function decide(door: Door, asked: Asked): Promise<void> {
  const { workspace, caller } = await refusing(door, asked, () => readAddress(asked));
  const { approvalId, reply } = await door.decisionIn(workspace, asked.data, caller);
  const { body, error } = decided(approvalId, reply);
  if (error) answerFailure(asked, error, body);
  else answer(asked, encode(body));
}

/** @throws RefusedError BAD_SUBJECT, BAD_REPLY, BAD_HEADERS, BAD_KEY, DUPLICATE_HEADER */
function readAddress(asked: Asked) {
  const where = subjects.readDecide(asked.subject);
  if (!where) throw badSubject();
  if (isMisled(asked)) throw badReply();
  const [key, ...more] = keysOf(asked);
  if (more.length > 0) throw twice();
  const caller: Caller = { ...offering(asked), by: `nats:${where.approver}`, ...keyOf(key) };
  return { workspace: where.workspace, caller };
}

function keysOf(asked: Asked): readonly string[] {
  const head = headBytes(asked);
  if (head.length > HEAD_BYTES_MAX) throw badHeaders();
  return Array.from(headerLines(head))
    .filter(([name]) => name.toLowerCase() === "idempotency-key")
    .map(([, value]) => value);
}

const offering = ({ subject }: Asked): Caller => ({ door: `nats:${subject}`, by: "nats" });

/** Runs a check. If the check refuses a decision, which then never reaches the door, this makes the dead letter. */
async function refusing<T>(door: Door, asked: Asked, check: () => T): Promise<T> {
  try {
    return check();
  } catch (error) {
    if (error instanceof RefusedError)
      await door.refusals.record(error, { ...offering(asked), body: asked.data });
    throw error;
  }
}

async function recordRefusal(door: Door, asked: Asked, cause: unknown): Promise<void> {
  const { code, message, next } = failureOf(cause).error;
  const letter = new RefusedError(code, message, next);
  await door.refusals.record(letter, { ...offering(asked), body: asked.data });
}

const badSubject = (): RefusedError =>
  new RefusedError(
    "BAD_SUBJECT",
    "The subject does not name a workspace and an approver.",
    "Decide on signalbox.v1.decide.<workspace>.<approver>; both are 1 to 128 of A–Z, a–z, 0–9, _ and -.",
    "subject",
  );

const twice = (): RefusedError =>
  new RefusedError(
    "DUPLICATE_HEADER",
    "The header Idempotency-Key came twice.",
    "Send it once.",
    "Idempotency-Key",
  );

// Decide
// Takes approvers' decisions over NATS: the subject names the approver, and the server guards the subject.
//
//   Owns:          the subject, the key and the reply of a decision.
//   Does not own:  the decision itself (runtime/door), who may publish as which approver (the server's permissions).
//   Decided in:    docs/decisions/0022-who-decides-over-nats.md.
//
// SERVICES-DECIDE-1. A decision counts even if nobody waits for the reply. If a decision cannot be applied, it becomes a dead
//     letter.
// SERVICES-DECIDE-2. The subject names the approver; the payload never does.

import { Match, type NatsConnection } from "nats";
import { decided } from "../../../runtime/door/decided.ts";
import type { Caller, Door } from "../../../runtime/door/door.ts";
import { keyOf } from "../../../runtime/door/key.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { failureOf, isOurs } from "../../../runtime/errors/failure.ts";
import { subjects } from "../../../runtime/rows/subjects.ts";
import { Lane, laneFull } from "./lane.ts";
import type { Stoppable } from "./query.ts";
import { known } from "./known.ts";
import { answer, answerFailure, type Asked, badReply, encode, isMisled, mayAnswer } from "./reply.ts";

export interface Deciding {
  readonly connection: NatsConnection;
  readonly door: Door;
  /** Called with every error that the sender did not cause. */
  readonly onError: (error: unknown) => void;
}

const QUEUE = "signalbox";
/** The limits of decisions: as many run at once as one commit takes, and more wait during a busy moment. */
const LANE = { atOnce: 256, waiting: 1_024, ofOne: 512 };

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

/** @throws RefusedError, after writing a dead letter; RetryableError. */
async function decide(door: Door, asked: Asked): Promise<void> {
  const { workspace, caller } = await refusing(door, asked, () => readAddress(asked));
  const { approvalId, reply } = await door.decisionIn(workspace, asked.data, caller);
  const { body, error } = decided(approvalId, reply);
  if (error) answerFailure(asked, error, body);
  else answer(asked, encode(body));
}

/** @throws RefusedError BAD_SUBJECT, BAD_REPLY, BAD_KEY, DUPLICATE_HEADER */
function readAddress(asked: Asked) {
  const where = subjects.readDecide(asked.subject);
  if (!where) throw badSubject();
  if (isMisled(asked)) throw badReply();
  const keys = asked.headers?.values("Idempotency-Key", Match.IgnoreCase) ?? [];
  if (keys.length > 1) throw twice();
  const caller: Caller = { ...offering(asked), by: `nats:${where.approver}`, ...keyOf(keys[0]) };
  return { workspace: where.workspace, caller };
}

const offering = ({ subject }: Asked): Caller => ({ door: `nats:${subject}`, by: "nats" });

/** Writes the dead letter of a decision that does not reach the door. */
async function refusing<T>(door: Door, asked: Asked, check: () => T): Promise<T> {
  try {
    return check();
  } catch (error) {
    if (error instanceof RefusedError)
      await door.refusals.record(error, { ...offering(asked), body: asked.data });
    throw error;
  }
}

/** Records the refusal of a message whose sender does not wait for a reply. */
async function recordRefusal(door: Door, asked: Asked, cause: unknown): Promise<void> {
  const { code, message, next } = failureOf(cause).error;
  const letter = new RefusedError(code, message, next);
  await door.refusals.record(letter, { ...offering(asked), body: asked.data });
}

const badSubject = (): RefusedError =>
  new RefusedError(
    "BAD_SUBJECT",
    "The subject names no workspace and approver.",
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

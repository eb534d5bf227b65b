// Submit
// Gives checked messages to the engine. Before that, it refuses messages for which there is no room, and stores large inputs as
// blobs.
//
//   Owns:          storing large inputs (DOOR-4), checking that there is room, taking all messages of a list or none (DOOR-1).
//   Does not own:  the checks (admit), quotas (within-quota), the journal's own limits (intake).

import type { Clients } from "../clients.ts";
import type { Engine } from "../engine/engine.ts";
import { overloaded, RetryableError } from "../errors/errors.ts";
import { sessionAddress } from "../../machines/index.ts";
import type { Message, SourceMessage } from "../message.ts";
import type { Blobs, Store } from "../ports.ts";
import { keys } from "../rows/keys.ts";
import { knownTraceparent } from "../traces/traceparent.ts";
import type { Reply } from "../turn/turn-result.ts";
import { keyReused, notTaken } from "./complaints.ts";
import type { Reach } from "../workspace-reach.ts";
import type { HookSays } from "./hook.ts";
import { lift, LIFT_BYTES_MIN } from "./inputs/lift.ts";
import type { PublicType } from "./schemas.ts";

export interface Submitting {
  readonly engine: Engine;
  readonly clients: Clients;
  /** Where large tool inputs are stored. If absent, every tool input stays in its message, however large. */
  readonly blobs?: Blobs;
}

interface Sender {
  readonly by: string;
  readonly traceparent?: string | undefined;
  readonly reach?: Reach;
}

const BEHIND_MAX = 4_096;
/** By how many bytes a message may be longer than its envelope, at most. */
const MESSAGE_OVERHEAD_BYTES = 512;

/** Stores as blobs the inputs that are too large for a message. @throws RetryableError BLOB_NOT_KEPT, OVERLOADED */
export async function kept(
  { engine, blobs, clients }: Submitting,
  messages: readonly SourceMessage[],
  bytes: number,
): Promise<readonly SourceMessage[]> {
  if (!blobs || bytes <= LIFT_BYTES_MIN) return messages;
  const lifted = messages.map((message) => (clients.ofType(message.type) ? lift(message) : undefined));
  const inputs = lifted.flatMap((each) => each?.inputs ?? []);
  if (inputs.length > 0) checkRoom(engine, messages.length, bytes);
  for (const { hash: name, text } of inputs) await blobs.put(name, text);
  return messages.map((message, n) => lifted[n]?.message ?? message);
}

/** Submits all messages in order, or none. @throws RetryableError OVERLOADED */
export function submit(
  engine: Engine,
  messages: readonly Message[],
  bytes: number,
): readonly Promise<Reply>[] {
  if (messages.length === 0) return [];
  checkRoom(engine, messages.length, bytes);
  return messages.map(async (message) => {
    const reply = await (await engine.submit(message)).settled;
    // If another message with the same idempotency key was already being written, the reply is the one to that message.
    if (message.content !== reply.content && reply.content !== undefined) throw keyReused();
    return reply;
  });
}

/**
 * @returns the result of a submitted message, or the RetryableError with which it was refused.
 * @throws any other error: it is useless to send the message again.
 */
export async function settledOf(reply: Promise<Reply> = Promise.reject(notTaken())) {
  try {
    return { reply: await reply };
  } catch (error) {
    if (error instanceof RetryableError) return { refused: error };
    throw error;
  }
}

/** @throws RetryableError OVERLOADED */
function checkRoom(engine: Engine, count: number, bytes: number): void {
  const { journal, waiting } = engine.lag();
  const space = bytes + count * MESSAGE_OVERHEAD_BYTES;
  if (journal >= BEHIND_MAX || !engine.hasRoom(count, space)) throw overloaded(journal + waiting);
}

const REQUESTED: PublicType = "approval.requested";

/**
 * DOOR-7: adds the sender to a message that requests an approval. A gate that has already answered its client requests no
 * approval. A session's first message also tells whether its sender may send to every workspace (WORKSPACE-4).
 */
export function sentBy(
  said: SourceMessage,
  { by: sender, traceparent: header, reach }: Sender,
  store: Pick<Store, "get">,
  says?: HookSays,
): SourceMessage {
  const traceparent = knownTraceparent(header);
  const asks = says ? says.gate !== undefined && "deadlineAt" in says.gate : said.type === REQUESTED;
  const isFirst = store.get(keys.actor(sessionAddress(said.workspace, said.session))) === undefined;
  return {
    ...said,
    ...(traceparent !== undefined && { traceparent }),
    ...(asks && { sender }),
    ...(reach === undefined && isFirst && { isUnbound: true as const }),
  };
}

// Submit
// Gives checked messages to the engine. Large inputs are stored as blobs first, and messages without room are refused.
//
//   Owns:          storing large inputs (DOOR-4), whether there is room, all of a list or none (DOOR-1).
//   Does not own:  the checks (admit), quotas (within-quota), the journal's own limits (intake).

import type { Clients } from "../clients.ts";
import type { Engine } from "../engine/engine.ts";
import { overloaded, RetryableError } from "../errors/errors.ts";
import type { Message, SourceMessage } from "../message.ts";
import type { Blobs } from "../ports.ts";
import type { Reply } from "../turn/turn-result.ts";
import { keyReused, notTaken } from "./complaints.ts";
import { lift, LIFT_BYTES_MIN } from "./inputs/lift.ts";

export interface Submitting {
  readonly engine: Engine;
  readonly clients: Clients;
  /** Without it, every tool input stays in its message, however large. */
  readonly blobs?: Blobs;
}

const BEHIND_MAX = 4_096;
/** A message is longer than its envelope by at most this much. */
const MESSAGE_OVERHEAD_BYTES = 512;

/** Stores inputs that are too large for a message as blobs. @throws RetryableError BLOB_NOT_KEPT, OVERLOADED */
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
    // A message with the same key was already being written, so this one got the reply to that one.
    if (message.content !== reply.content && reply.content !== undefined) throw keyReused();
    return reply;
  });
}

/** @returns the result of a submitted message. @throws an error that a repetition cannot solve. */
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

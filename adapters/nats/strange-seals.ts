// Strange seals
// Finds the entries of a stream that an engine with another key has sealed.
//
//   Owns:          reading the stream; deciding when strange seals show that this engine has the wrong key.
//   Does not own:  the seal (seal.ts, wire.ts), when the search runs (journal.ts), what follows for the start (runtime/cursor).
//   Decided in:    docs/decisions/0058-a-lost-folder-is-told.md.
//
// STRANGE-SEALS-1. Only an engine publishes on the engine's own subjects. A seal of another key on these subjects shows that
//     another key was used, so all messages with such a seal are entries that this engine cannot read. If no message on the
//     engine's own subjects has such a seal, a message with such a seal on another subject is a forgery.
// STRANGE-SEALS-2. If messages are removed from the stream while the search reads, the search ends without them.

import type { JetStreamManager, NatsConnection } from "nats";
import { Bell } from "../../runtime/bell.ts";
import { rangesOf } from "../../runtime/journal/cursor.ts";
import { RetryableError } from "../../runtime/errors/errors.ts";
import type { Clock, Missing } from "../../runtime/ports.ts";
import { subjects } from "../../runtime/rows/subjects.ts";
import { anyNews, waitFor } from "../../runtime/wait-for.ts";
import { orPortError } from "./client-errors.ts";
import { headBytes } from "./headers.ts";
import { type Arrived, Reader } from "./reader.ts";
import { headersOf, sealOn } from "./wire.ts";

const TAKEN_MAX = 256;
const LOOK_MS = 1_000;

interface Stream {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly clock: Clock;
}

/** @returns the messages after `after`, up to `upTo`, that an engine with another seal key has sealed. @throws RetryableError */
export async function strangeSeals(
  { connection, manager, clock }: Stream,
  key: Uint8Array,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<readonly Missing[]> {
  const moved = new Bell();
  const reader = await orPortError(Reader.open(connection, manager, clock, after, () => moved.ring()));
  const strange: number[] = [];
  let isOwn = false;
  let left = reader.pendingAtFirst;
  let count = 0;
  try {
    while (left > 0) {
      const taken = reader.take(TAKEN_MAX);
      for (const arrived of taken) {
        const { position, pending } = arrived;
        left = position >= upTo ? 0 : pending;
        if (position > upTo || !isStrange(arrived, key)) continue;
        strange.push(position);
        isOwn ||= subjects.readInput(arrived.message.subject)?.door === "own";
      }
      count += taken.length;
      if (taken.length > 0) continue;
      if (reader.lost !== undefined) throw unread(reader.lost);
      if (!(await isQuiet(reader, clock, moved))) continue;
      if (await isAtEnd(manager, reader, count)) left = 0;
    }
  } finally {
    reader.lose("it has read what it was made for");
  }
  return isOwn ? rangesOf(strange) : [];
}

async function isQuiet(reader: Reader, clock: Clock, moved: Bell): Promise<boolean> {
  const ended = await waitFor(moved.rings, anyNews, { clock, ms: LOOK_MS });
  return ended === "late" && reader.lost === undefined;
}

/** @returns whether the server has no more messages to send, and all that it sent have arrived (STRANGE-SEALS-2). */
async function isAtEnd(manager: JetStreamManager, reader: Reader, count: number): Promise<boolean> {
  const { num_pending: pending, delivered } = await reader.look(manager);
  return pending === 0 && delivered.consumer_seq <= count;
}

function isStrange({ message }: Arrived, key: Uint8Array): boolean {
  const { subject, data: payload } = message;
  const headers = headersOf(headBytes(message));
  return headers !== undefined && sealOn({ subject, headers, payload }, key) === "strange";
}

const unread = (why: string): RetryableError =>
  new RetryableError(
    "NATS_UNAVAILABLE",
    `The journal could not be read to its end: ${why}.`,
    "Wait: the engine reads the journal again.",
    1_000,
  );

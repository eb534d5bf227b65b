// Strange seals
// Finds the entries of a stream that an engine with another key has sealed.
//
//   Owns:          reading the stream; deciding when such entries show that this key is wrong.
//   Does not own:  the seal (seal.ts, wire.ts), when the search runs (journal.ts), what follows (runtime/cursor).
//   Decided in:    docs/decisions/0058-a-lost-folder-is-told.md.
//
// STRANGE-SEALS-1. Only an engine publishes on the engine's own subjects. A strange seal there shows that another key was used,
//     so all messages with a strange seal are entries that this engine cannot read. Without such a message, a strange seal is a
//     forgery: it becomes a dead letter, and the engine starts.
// STRANGE-SEALS-2. The search does not wait for messages that are removed while it reads.

import type { JetStreamManager, NatsConnection } from "nats";
import { Bell } from "../../runtime/bell.ts";
import { rangesOf } from "../../runtime/journal/cursor.ts";
import { RetryableError } from "../../runtime/errors/errors.ts";
import type { Clock, Missing } from "../../runtime/ports.ts";
import { subjects } from "../../runtime/rows/subjects.ts";
import { anyNews, waitFor } from "../../runtime/wait-for.ts";
import { asPortError } from "./client-errors.ts";
import { type Arrived, Reader } from "./reader.ts";
import { headersOf } from "./wire-message.ts";
import { sealOn } from "./wire.ts";

const TAKEN_MAX = 256;
const LOOK_MS = 1_000;

interface Stream {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly clock: Clock;
}

/**
 * @param part the messages to read: those after one position, up to another.
 * @returns the messages that an engine with another key has sealed, in order. @throws RetryableError if the server does not
 * deliver all.
 */
export async function strangeSeals(
  { connection, manager, clock }: Stream,
  key: Uint8Array,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<readonly Missing[]> {
  const moved = new Bell();
  const reader = await Reader.open(connection, manager, clock, after, () => moved.ring()).catch(
    (error: unknown) => {
      throw asPortError(error);
    },
  );
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
      // The lines above handle a reader that is lost or has more to read; what follows finds out whether this is the end.
      if (!(await isQuiet(reader, clock, moved))) continue;
      if (await isAtEnd(manager, reader, count)) left = 0;
    }
  } finally {
    reader.lose("it has read what it was made for");
  }
  return isOwn ? rangesOf(strange) : [];
}

/** Waits for a while. @returns whether nothing came, and the reader still works. */
async function isQuiet(reader: Reader, clock: Clock, moved: Bell): Promise<boolean> {
  const ended = await waitFor(moved.rings, anyNews, { clock, ms: LOOK_MS });
  return ended === "late" && reader.lost === undefined;
}

/** STRANGE-SEALS-2: the server has no more to send, and all that it sent has arrived. */
async function isAtEnd(manager: JetStreamManager, reader: Reader, count: number): Promise<boolean> {
  const { num_pending: pending, delivered } = await reader.look(manager);
  return pending === 0 && delivered.consumer_seq <= count;
}

function isStrange({ message }: Arrived, key: Uint8Array): boolean {
  const { subject, data: payload } = message;
  return sealOn({ subject, headers: headersOf(() => message.headers), payload }, key) === "strange";
}

const unread = (why: string): RetryableError =>
  new RetryableError(
    "NATS_UNAVAILABLE",
    `The journal could not be read to its end: ${why}.`,
    "Wait: the engine reads the journal again.",
    1_000,
  );

// Messages
// What a service says, typed by what the door of the engine reads.
//
//   Owns:          the types a message may have and their data; its envelope as bytes.
//   Does not own:  what is right in there (runtime/door reads it again), sending it (publisher).

import type { z } from "zod";
import type { PublicType, Schemas } from "../../../runtime/door/schemas.ts";
import { MESSAGE_BYTES_MAX, RAW_BYTES_MAX } from "../../../runtime/limits.ts";
import { checkName } from "./options.ts";
import { tooLarge } from "./failures.ts";

/** A client's own payloads, as they came. */
export type RawType = "claude-code.hook" | "claude-code.stream" | "claude-code.transcript";
export type MessageType = PublicType | RawType;

/** What a message of a type carries. */
export type DataOf<T extends MessageType> = T extends PublicType ? z.input<Schemas[T]> : object;

export interface PublishOptions {
  /** The message's identity within session and source; a UUID, version 7, when not given. */
  readonly id?: string;
  /** When it happened, where that is not now. */
  readonly time?: Date;
  /** A running number of the source within the session: the engine puts messages that carry one back in order. */
  readonly sequence?: number;
  /** How long to try, ms; the client's when not given. */
  readonly deadlineMs?: number;
}

/** What the journal said. What became of the message is in the changes. */
export interface Published {
  readonly id: string;
  /** Its place in the journal. */
  readonly position: number;
  /** True when an earlier attempt of this call had been taken already, though its acknowledgement was lost. */
  readonly duplicate: boolean;
}

const ID_MAX = 256;

export interface Said {
  readonly workspace: string;
  readonly session: string;
  readonly source: string;
  readonly type: string;
  readonly id: string;
  readonly data: unknown;
}

/** @throws RefusedError for what no envelope may carry, or TOO_LARGE. */
export function envelopeOf(said: Said, { time, sequence }: PublishOptions): Uint8Array {
  const { workspace, session, source, type, id, data } = said;
  checkName(id, "id", ID_MAX);
  const bytes = Buffer.from(
    JSON.stringify({
      specversion: "1.0",
      id,
      source,
      type,
      subject: `${workspace}/${session}`,
      time: (time ?? new Date()).toISOString(),
      ...(sequence !== undefined && { sequence }),
      datacontenttype: "application/json",
      data,
    }),
  );
  const isRaw = type.startsWith("claude-code.");
  if (bytes.length > (isRaw ? RAW_BYTES_MAX : MESSAGE_BYTES_MAX)) throw tooLarge(`${type} of ${session}`);
  return bytes;
}

// Messages
// The messages that a service publishes, with the types that the engine accepts.
//
//   Owns:          the message types and their data; the envelope as bytes.
//   Does not own:  checking the data (runtime/door), sending (publisher).

import type { z } from "zod";
import type { PublicType, Schemas } from "../../../runtime/door/schemas.ts";
import { MESSAGE_BYTES_MAX, RAW_BYTES_MAX } from "../../../runtime/limits.ts";
import { checkName } from "./options.ts";
import { tooLarge } from "./failures.ts";

/** The types of messages with an unchanged payload of a client such as Claude Code. */
export type RawType =
  | ("claude-code.hook" | "claude-code.stream" | "claude-code.transcript" | "claude-code.telemetry")
  | ("acp.hook" | "codex.hook" | "codex-cli.hook" | "copilot-cli.hook" | "opencode-cli.hook");
export type MessageType = PublicType | RawType;

export const RAW_TYPES: Readonly<Record<RawType, true>> = {
  "claude-code.hook": true,
  "claude-code.stream": true,
  "claude-code.transcript": true,
  "claude-code.telemetry": true,
  "acp.hook": true,
  "codex.hook": true,
  "codex-cli.hook": true,
  "copilot-cli.hook": true,
  "opencode-cli.hook": true,
};

export type DataOf<T extends MessageType> = T extends PublicType ? z.input<Schemas[T]> : object;

export interface PublishOptions {
  /** The message's id within session and source; a UUID version 7 by default. */
  readonly id?: string;
  /** When the event happened; now by default. */
  readonly time?: Date;
  /** The source's running number within the session: the engine sorts messages by it. */
  readonly sequence?: number;
  /** How long to retry, ms; the client's setting by default. */
  readonly deadlineMs?: number;
}

/** The journal's answer to a message. What the message changed comes in the feed of changes. */
export interface Published {
  readonly id: string;
  /** The message's position in the journal. */
  readonly position: number;
  /** True if the journal had stored an earlier attempt of this call whose acknowledgement was lost. */
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

/** @throws RefusedError if an envelope cannot contain a text of the message; RefusedError TOO_LARGE. */
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
  if (bytes.length > (Object.hasOwn(RAW_TYPES, type) ? RAW_BYTES_MAX : MESSAGE_BYTES_MAX))
    throw tooLarge(`${type} of ${session}`);
  return bytes;
}

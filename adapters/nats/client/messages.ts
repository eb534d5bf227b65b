// Messages
// The messages of a service, typed by what the engine's door accepts.
//
//   Owns:          the message types and their data; the envelope as bytes.
//   Does not own:  checking the data (runtime/door does), sending (publisher).

import type { z } from "zod";
import type { PublicType, Schemas } from "../../../runtime/door/schemas.ts";
import { MESSAGE_BYTES_MAX, RAW_BYTES_MAX } from "../../../runtime/limits.ts";
import { checkName } from "./options.ts";
import { tooLarge } from "./failures.ts";

/** Payloads of a client such as Claude Code, unchanged. */
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

/** The data of each message type. */
export type DataOf<T extends MessageType> = T extends PublicType ? z.input<Schemas[T]> : object;

export interface PublishOptions {
  /** The message's identity within session and source; a UUID version 7 by default. */
  readonly id?: string;
  /** When it happened; now by default. */
  readonly time?: Date;
  /** The source's running number within the session: the engine orders messages by it. */
  readonly sequence?: number;
  /** How long to try, ms; the client's setting by default. */
  readonly deadlineMs?: number;
}

/** The journal's answer. The feed of changes tells what the message did. */
export interface Published {
  readonly id: string;
  /** Its place in the journal. */
  readonly position: number;
  /** True when the journal had taken an earlier attempt of this call, but its acknowledgement was lost. */
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

/** @throws RefusedError for what an envelope cannot carry, or TOO_LARGE. */
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

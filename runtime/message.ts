// Message
// A journal entry, read: who it is for, who it is from, what it says.
//
//   Owns:          the body of a journal entry, writing and reading it.
//   Does not own:  what may come in (door), translation of foreign payloads (given by compose).
//
// An entry is translated when it is read: what is journalled is what was said, not what was understood.

import type { Input, SessionId, SourceInput, WorkspaceId } from "../machines/index.ts";
import type { Configuration } from "./config.ts";
import { RefusedError } from "./errors.ts";

interface Common {
  readonly workspace: WorkspaceId;
  readonly session: SessionId;
  /** The sender's idempotency key, hashed. */
  readonly key?: string;
}

/** What a source sent. */
export interface SourceMessage extends Common {
  readonly door: "in";
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** The source's own clock, ms. */
  readonly time?: number;
  readonly sequence?: number;
  readonly data: unknown;
}

/** What the engine itself writes: decisions, deadlines, configuration. */
export interface OwnMessage extends Common {
  readonly door: "own";
  readonly said:
    | Exclude<Input, SourceInput>
    | { readonly type: "configured"; readonly configuration: Configuration }
    | { readonly type: "swept" };
}

export type Message = SourceMessage | OwnMessage;

/** Translates what a source sent into inputs. Pure. @throws RefusedError when it cannot be understood. */
export type Translate = (message: SourceMessage) => readonly SourceInput[];

export function writeMessage(message: Message): string {
  return JSON.stringify(message);
}

/** @throws RefusedError when the text is no message: a dead letter. */
export function readMessage(body: string): Message {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new RefusedError(
      "NOT_JSON",
      "A journal entry is not JSON.",
      "It was dead-lettered; nothing else changed.",
    );
  }
  const known = parsed as Partial<Message> | null;
  if (typeof known !== "object" || known === null || (known.door !== "in" && known.door !== "own")) {
    throw new RefusedError(
      "NOT_A_MESSAGE",
      "A journal entry has no known door.",
      "It was dead-lettered; nothing else changed.",
      "door",
    );
  }
  // Entries are written by `writeMessage` or checked at a door before they are appended.
  return known as Message;
}

/** The kind of source, which chooses the cascade: `claude-code` for its hooks, stream and transcript. */
export function kindOf(message: Message): string {
  return message.door === "own"
    ? "own"
    : message.type.startsWith("claude-code.")
      ? "claude-code"
      : message.source;
}

/** The channel whose prompts are followed apart: a transcript lags behind the hooks. */
export function channelOf(message: Message): string {
  return message.door === "own" ? "own" : message.type;
}

// Message
// A journal entry, read: who it is for, who it is from, what it says.
//
//   Owns:          the body of a journal entry, writing and reading it.
//   Does not own:  what may come in (door), translation of foreign payloads (given by compose).
//
// An entry is translated when it is read: what is journalled is what was said, not what was understood.

import { type Input, isId, type SessionId, type SourceInput, type WorkspaceId } from "../machines/index.ts";
import type { Configuration } from "./config.ts";
import { RefusedError } from "./errors.ts";

interface Common {
  readonly workspace: WorkspaceId;
  readonly session: SessionId;
  /** The sender's idempotency key, hashed. */
  readonly key?: string;
  /** The hash of what was sent under the key. */
  readonly content?: string;
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
  /** Said by the door alone: the tool inputs of the data that are kept as blobs. */
  readonly lifted?: readonly LiftedPlace[];
}

/** Where in the data a tool input stood; null stands there instead. */
export interface LiftedPlace {
  /** Keys and indexes, from the data inwards. */
  readonly at: readonly (string | number)[];
  /** Of its canonical text: the name of the blob. */
  readonly hash: string;
  readonly bytes: number;
}

/** What a door turned away: it becomes a dead letter with its reason, and does nothing else. */
export interface Refused {
  readonly type: "refused";
  /** Where it came in, and as whom. */
  readonly door: string;
  readonly by: string;
  readonly code: string;
  readonly reason: string;
  readonly path?: string;
  /** The length of what was sent, and its hash where it was read to its end. */
  readonly bytes: number;
  readonly sha256?: string;
  /** How it begins. */
  readonly body: string;
  /** The subject it was published on, where it came over NATS. */
  readonly subject?: string;
  /** What stood beside it, by which its sender finds it again. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How many were turned away since the last one without a letter of their own. */
  readonly unrecorded?: number;
  /** Whom it is about, where nothing else of it says so. */
  readonly workspace?: string;
}

/** What is old may go: rows of the store, bounded by what the outlet has taken and the journal has let go. */
export interface Swept {
  readonly type: "swept";
  readonly published: number;
  readonly trimmed: number;
  /** Of a sweep that goes on at once where the one before ended. */
  readonly goesOn?: boolean;
}

/** Nothing is said; its turn tells what earlier ones counted, and a journal that takes it has room. */
export interface Tallied {
  readonly type: "tallied";
  /** What time it is, ms, by a process that no longer believes the clock: the last it believed, and what passed since. */
  readonly reckoned?: number;
}

/** The operator says that the clock that stamps the journal is right (journal-time). */
export interface ClockAccepted {
  readonly type: "clock.accepted";
}

/** What was found to be kept of workspaces, and what their accounts said when the looking began (keeping). */
export interface Measured {
  readonly type: "measured";
  readonly of: readonly { readonly workspace: string; readonly before: number; readonly found: number }[];
}

/** An entry that was set aside is fed again: what its turn would have been told (poison). */
export interface Retried {
  readonly type: "retried";
  /** The number of its dead letter. */
  readonly letter: number;
}

/** What the engine itself writes: decisions, deadlines, configuration. */
export interface OwnMessage extends Common {
  readonly door: "own";
  readonly said:
    | Exclude<Input, SourceInput>
    | { readonly type: "configured"; readonly configuration: Configuration }
    | Swept
    | Tallied
    | Measured
    | ClockAccepted
    | Refused
    | Retried;
}

const OF_THE_RUNTIME: readonly string[] = [
  "configured",
  "swept",
  "tallied",
  "measured",
  "clock.accepted",
  "refused",
  "retried",
];

/** True for what machines take in; the rest of what the engine says concerns the runtime alone. */
export function isInput(said: OwnMessage["said"]): said is Exclude<Input, SourceInput> {
  return !OF_THE_RUNTIME.includes(said.type);
}

export type Message = SourceMessage | OwnMessage;

/** Under this name the engine speaks of itself. */
export const ENGINE = { workspace: "signalbox" as WorkspaceId, session: "engine" as SessionId };

/** Translates what a source sent into inputs. Pure. @throws RefusedError when it cannot be understood. */
export type Translate = (message: SourceMessage) => readonly SourceInput[];

/** The same message is always the same text, whoever put it together. */
export function writeMessage(message: Message): string {
  if (message.door === "own") return JSON.stringify(message);
  const { door, workspace, session, id, source, type, ...rest } = message;
  return JSON.stringify({ door, workspace, session, id, source, type, ...rest });
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
  const field = missing(known);
  if (field !== undefined) {
    throw new RefusedError(
      "NOT_A_MESSAGE",
      `A journal entry has no fit "${field}".`,
      "It was dead-lettered; nothing else changed.",
      field,
    );
  }
  // What stands in `data` and `said` was checked at a door, or is checked by whoever translates it.
  return known as Message;
}

/** The same; undefined where the text is no message. */
export function messageIn(body: string): Message | undefined {
  try {
    return readMessage(body);
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

const SAID: Readonly<Record<OwnMessage["said"]["type"], true>> = {
  decision: true,
  "timer.fired": true,
  "process.gone": true,
  "waiter.gone": true,
  configured: true,
  swept: true,
  tallied: true,
  measured: true,
  "clock.accepted": true,
  refused: true,
  retried: true,
};

/** The first field that a turn could not do without. */
function missing(known: Partial<Message>): string | undefined {
  const ids = (["workspace", "session"] as const).find((name) => !isText(known[name]) || !isId(known[name]));
  if (ids !== undefined) return ids;
  if (known.door === "in") {
    const { sequence } = known;
    const text = (["id", "source", "type"] as const).find((name) => !isText(known[name]));
    return text ?? (sequence === undefined || isNumber(sequence) ? undefined : "sequence");
  }
  const { said } = known as Partial<OwnMessage>;
  return Object.hasOwn(SAID, String(said?.type)) ? undefined : "said";
}

/** Above 2⁵³ − 1 two numbers may be one. */
const isNumber = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

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

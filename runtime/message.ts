// Message
// A journal entry as a message: its session, its sender, and its content.
//
//   Owns:          the body of a journal entry, writing and reading it.
//   Does not own:  checking messages from outside (door), translating clients' payloads (compose passes the translators).
//
// An entry is translated when it is read, so the journal keeps the message as it was sent.

import { jsonIn } from "../machines/json.ts";
import {
  type FileScope,
  isId,
  type OwnInput,
  type RuleTerms,
  type SessionId,
  type SourceInput,
  type WorkspaceId,
} from "../machines/index.ts";
import type { TermBegun, TermEnded } from "./cluster/term.ts";
import type { Configuration } from "./config.ts";
import { RefusedError } from "./errors/errors.ts";
import type { PolicyDropped, PolicyRuled, PolicySet } from "./policy.ts";

interface Common {
  readonly workspace: WorkspaceId;
  readonly session: SessionId;
  /** The hash of the sender's idempotency key. */
  readonly key?: string;
  /** The hash of the bytes sent with the key. */
  readonly content?: string;
}

export interface SourceMessage extends Common {
  readonly door: "in";
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** The source's own clock, ms. */
  readonly time?: number;
  readonly sequence?: number;
  readonly data: unknown;
  // Only the door sets these: who requested the approval, the traceparent header if it is valid, and the inputs kept as blobs.
  readonly sender?: string;
  readonly traceparent?: string;
  readonly lifted?: readonly LiftedPlace[];
}

/** The place of a lifted tool input in the data, where null replaces it. */
export interface LiftedPlace {
  /** The keys and indexes that lead to the input, from the outside in. */
  readonly at: readonly (string | number)[];
  /** The hash of the input's canonical text, which is the name of the blob. */
  readonly hash: string;
  readonly bytes: number;
}

/** A message that a door refused. It becomes a dead letter with the reason, and has no other effect. */
export interface Refused {
  readonly type: "refused";
  /** The door, and the sender's name there. */
  readonly door: string;
  readonly by: string;
  readonly code: string;
  readonly reason: string;
  readonly path?: string;
  /** The length as sent, and the hash if it was read to its end. */
  readonly bytes: number;
  readonly sha256?: string;
  /** The beginning of the message. */
  readonly body: string;
  /** The subject of a message that came over NATS. */
  readonly subject?: string;
  /** Headers by which the sender recognises the message. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How many messages were refused without a letter since the last letter. */
  readonly unrecorded?: number;
  /** The workspace, if no other field names it. */
  readonly workspace?: string;
}

/** Requests the removal of old rows, up to what was published and trimmed. */
export interface Swept {
  readonly type: "swept";
  readonly published: number;
  readonly trimmed: number;
  /** True if this message goes on with the sweep of the message before it. */
  readonly goesOn?: boolean;
  /** True to remove published changes, however young they are. */
  readonly unaged?: true;
}

/** A person wants the content of this message's session removed. */
export interface SessionForgotten {
  readonly type: "session.forgotten";
  /** The keys of other rows with content of the session, which the door found. */
  readonly rows: readonly string[];
  readonly by: string;
}

/**
 * A message without content. Its turn reports what earlier turns counted, and a journal that accepts it shows that it
 * has room.
 */
export interface Tallied {
  readonly type: "tallied";
  /** The last believed time plus the time that passed since, ms, from a process that does not believe the clock. */
  readonly reckoned?: number;
}

/** The operator accepts the clock that stamps the journal (journal-time). */
export interface ClockAccepted {
  readonly type: "clock.accepted";
}

/** The measured size of workspaces, and their accounts when measuring began (keeping). */
export interface Measured {
  readonly type: "measured";
  readonly of: readonly { readonly workspace: string; readonly before: number; readonly found: number }[];
  /** The keys of surplus past approvals (PAST-APPROVALS-3). */
  readonly past?: readonly string[];
}

/** Requests a retry of an entry that was set aside (poison). The turn of this message then applies that entry. */
export interface Retried {
  readonly type: "retried";
  readonly letter: number;
}

/** A person dismisses dead letters. */
export interface Dismissed {
  readonly type: "dismissed";
  readonly letters: readonly number[];
  readonly by: string;
  /** True if a dismissal is taken back. */
  readonly isBack?: true;
}

export interface RuleAdded {
  readonly type: "rule.added";
  readonly terms: RuleTerms;
  /** The rule expires this long after it was made, ms. */
  readonly forMs?: number;
  readonly by: string;
}

/** A person puts a file of rules in force: all its rules, and none that only an earlier file had. */
export interface RulesApplied {
  readonly type: "rules.applied";
  readonly scope: FileScope;
  readonly rules: readonly RuleTerms[];
  readonly by: string;
}

export interface RuleRemoved {
  readonly type: "rule.removed";
  readonly id: string;
  readonly by: string;
}

export interface RuleEnforced {
  readonly type: "rule.enforced";
  readonly id: string;
  readonly by: string;
}

/** A message that the engine itself writes: decisions, deadlines, configuration. */
export interface OwnMessage extends Common {
  readonly door: "own";
  /** The term of the engine that wrote the message, if a term was begun (cluster/term). */
  readonly term?: number;
  readonly said:
    | OwnInput
    | { readonly type: "configured"; readonly configuration: Configuration }
    | TermBegun
    | TermEnded
    | Swept
    | Tallied
    | Measured
    | ClockAccepted
    | Refused
    | Retried
    | Dismissed
    | SessionForgotten
    | RuleAdded
    | RuleRemoved
    | RulesApplied
    | RuleEnforced
    | PolicySet
    | PolicyDropped
    | PolicyRuled;
}

export function isInput(said: OwnMessage["said"]): said is OwnInput {
  return SAID[said.type] === "input";
}

export type Message = SourceMessage | OwnMessage;

/** The source name of the engine's own messages. */
export const ENGINE = { workspace: "signalbox" as WorkspaceId, session: "engine" as SessionId };

/** Translates a source's message into inputs. Pure. @throws RefusedError if it cannot be understood. */
export type Translate = (message: SourceMessage) => readonly SourceInput[];

/** Equal messages always give the same text, whoever built them. */
export function writeMessage(message: Message): string {
  if (message.door === "own") return JSON.stringify(message);
  const { door, workspace, session, id, source, type, ...rest } = message;
  return JSON.stringify({ door, workspace, session, id, source, type, ...rest });
}

/** @throws RefusedError for a text that is not a message, which becomes a dead letter. */
export function readMessage(body: string): Message {
  const known = jsonIn(body) as Partial<Message> | null | undefined;
  if (known === undefined)
    throw new RefusedError(
      "NOT_JSON",
      "A journal entry is not JSON.",
      "The entry became a dead letter; nothing else changed.",
    );
  if (typeof known !== "object" || known === null || (known.door !== "in" && known.door !== "own")) {
    throw new RefusedError(
      "NOT_A_MESSAGE",
      "A journal entry does not say by which known door it came in.",
      "The entry became a dead letter; nothing else changed.",
      "door",
    );
  }
  const field = missing(known);
  if (field !== undefined) {
    throw new RefusedError(
      "NOT_A_MESSAGE",
      `The "${field}" of a journal entry has the wrong form.`,
      "The entry became a dead letter; nothing else changed.",
      field,
    );
  }
  // The cast is safe: a door checked `data` and `said`, or the translator will check them.
  return known as Message;
}

/** Reads a message; undefined for a text that is not a message. */
export function messageIn(body: string): Message | undefined {
  try {
    return readMessage(body);
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

/** For each own message, whether it is an input of machines, or only for the runtime. */
const SAID: { readonly [T in OwnMessage["said"]["type"]]: T extends OwnInput["type"] ? "input" : "runtime" } =
  {
    decision: "input",
    assigned: "input",
    "timer.fired": "input",
    "process.gone": "input",
    "waiter.gone": "input",
    "term.begun": "runtime",
    "term.ended": "runtime",
    configured: "runtime",
    swept: "runtime",
    tallied: "runtime",
    measured: "runtime",
    "clock.accepted": "runtime",
    refused: "runtime",
    retried: "runtime",
    dismissed: "runtime",
    "session.forgotten": "runtime",
    "rule.added": "runtime",
    "rule.removed": "runtime",
    "rules.applied": "runtime",
    "rule.enforced": "runtime",
    "policy.set": "runtime",
    "policy.dropped": "runtime",
    "policy.ruled": "runtime",
  };

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

/** Above 2⁵³ − 1 two numbers may be equal. */
const isNumber = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

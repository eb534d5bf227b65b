// Message
// A journal entry as a message: for whom, from whom, and what it says.
//
//   Owns:          the body of a journal entry, writing and reading it.
//   Does not own:  what may come in (door), translating foreign payloads (given by compose).
//
// An entry is translated when it is read: the journal keeps the message as it was sent.

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
import type { TermBegun } from "./cluster/term.ts";
import type { Configuration } from "./config.ts";
import { RefusedError } from "./errors/errors.ts";
import type { PolicyDropped, PolicyRuled, PolicySet } from "./policy.ts";

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
  // Set by the door alone: who brought it, where it asks for an approval; its header, if valid; inputs kept as blobs.
  readonly sender?: string;
  readonly traceparent?: string;
  readonly lifted?: readonly LiftedPlace[];
}

/** Where in the data a tool input was; null is there instead. */
export interface LiftedPlace {
  /** Keys and indexes, from the data inwards. */
  readonly at: readonly (string | number)[];
  /** Of its canonical text: the name of the blob. */
  readonly hash: string;
  readonly bytes: number;
}

/** What a door refused: it becomes a dead letter with its reason, and has no other effect. */
export interface Refused {
  readonly type: "refused";
  /** Where it came in, and the sender's name there. */
  readonly door: string;
  readonly by: string;
  readonly code: string;
  readonly reason: string;
  readonly path?: string;
  /** The length of what was sent, and its hash if it was read to its end. */
  readonly bytes: number;
  readonly sha256?: string;
  /** Its beginning. */
  readonly body: string;
  /** The subject it was published on, if it came over NATS. */
  readonly subject?: string;
  /** What came with it and lets its sender find it again. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How many were refused since the last one without getting a letter. */
  readonly unrecorded?: number;
  /** Whom it is about, if nothing else in it says so. */
  readonly workspace?: string;
}

/** Asks for old rows to be removed, as far as the outlet has taken them and the journal was trimmed. */
export interface Swept {
  readonly type: "swept";
  readonly published: number;
  readonly trimmed: number;
  /** For a sweep that directly follows another. */
  readonly goesOn?: boolean;
  /** Changes that the outlet has taken go, however young they are. */
  readonly unaged?: true;
}

/** A person has the content of the session removed that this is addressed to. */
export interface SessionForgotten {
  readonly type: "session.forgotten";
  /** The keys of rows that tell of it beside its actors, found by whoever asks. */
  readonly rows: readonly string[];
  readonly by: string;
}

/** Says nothing itself; its turn reports what earlier ones counted, and a journal that accepts it has room. */
export interface Tallied {
  readonly type: "tallied";
  /** The time, ms, as counted by a process that disbelieves the clock: the last it believed, plus what has passed. */
  readonly reckoned?: number;
}

/** The operator accepts the clock that stamps the journal (journal-time). */
export interface ClockAccepted {
  readonly type: "clock.accepted";
}

/** What was measured of workspaces, and what their accounts said when measuring began (keeping). */
export interface Measured {
  readonly type: "measured";
  readonly of: readonly { readonly workspace: string; readonly before: number; readonly found: number }[];
  /** The keys of past approvals that are too many (PAST-APPROVALS-3). */
  readonly past?: readonly string[];
}

/** Asks for a retry of an entry that was set aside, with what its turn would have been told (poison). */
export interface Retried {
  readonly type: "retried";
  /** The number of its dead letter. */
  readonly letter: number;
}

/** A person says that dead letters need nobody any more. */
export interface Dismissed {
  readonly type: "dismissed";
  /** The numbers of the letters. */
  readonly letters: readonly number[];
  readonly by: string;
  /** They do after all. */
  readonly isBack?: true;
}

/** A person makes a rule. */
export interface RuleAdded {
  readonly type: "rule.added";
  readonly terms: RuleTerms;
  /** It expires this long after it was made, ms. */
  readonly forMs?: number;
  readonly by: string;
}

/** A person puts a file of rules in force: its rules, and none that it said before and says no more. */
export interface RulesApplied {
  readonly type: "rules.applied";
  readonly scope: FileScope;
  readonly rules: readonly RuleTerms[];
  readonly by: string;
}

/** A person takes a rule away. */
export interface RuleRemoved {
  readonly type: "rule.removed";
  readonly id: string;
  readonly by: string;
}

/** A person makes a dry rule answer. */
export interface RuleEnforced {
  readonly type: "rule.enforced";
  readonly id: string;
  readonly by: string;
}

/** What the engine itself writes: decisions, deadlines, configuration. */
export interface OwnMessage extends Common {
  readonly door: "own";
  /** The term of the engine that wrote it, if any term was begun (cluster/term). */
  readonly term?: number;
  readonly said:
    | OwnInput
    | { readonly type: "configured"; readonly configuration: Configuration }
    | TermBegun
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

/** True for messages that are inputs of machines. */
export function isInput(said: OwnMessage["said"]): said is OwnInput {
  return SAID[said.type] === "input";
}

export type Message = SourceMessage | OwnMessage;

/** The source name of the engine's own messages. */
export const ENGINE = { workspace: "signalbox" as WorkspaceId, session: "engine" as SessionId };

/** Translates what a source sent into inputs. Pure. @throws RefusedError if it cannot be understood. */
export type Translate = (message: SourceMessage) => readonly SourceInput[];

/** The same message always gives the same text, whoever built it. */
export function writeMessage(message: Message): string {
  if (message.door === "own") return JSON.stringify(message);
  const { door, workspace, session, id, source, type, ...rest } = message;
  return JSON.stringify({ door, workspace, session, id, source, type, ...rest });
}

/** @throws RefusedError if the text is not a message: a dead letter. */
export function readMessage(body: string): Message {
  const known = jsonIn(body) as Partial<Message> | null | undefined;
  if (known === undefined)
    throw new RefusedError(
      "NOT_JSON",
      "A journal entry is not JSON.",
      "It was dead-lettered; nothing else changed.",
    );
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
      `The "${field}" of a journal entry has the wrong form.`,
      "It was dead-lettered; nothing else changed.",
      field,
    );
  }
  // `data` and `said` were checked at a door, or are checked by the translator.
  return known as Message;
}

/** The same; undefined if the text is not a message. */
export function messageIn(body: string): Message | undefined {
  try {
    return readMessage(body);
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

/** Whose each own message is: an input of machines, or the runtime's alone. */
const SAID: { readonly [T in OwnMessage["said"]["type"]]: T extends OwnInput["type"] ? "input" : "runtime" } =
  {
    decision: "input",
    "timer.fired": "input",
    "process.gone": "input",
    "waiter.gone": "input",
    "term.begun": "runtime",
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

/** The first field that is missing and that a turn needs. */
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

// Message
// A journal entry as a message: its session, its sender, and its content.
//
//   Owns:          the body of a journal entry, writing and reading it; the table of the engine's own messages.
//   Does not own:  checking messages from outside (door), translating clients' payloads (compose passes the translators).
//
// The engine translates an entry when it reads the entry, so the journal contains each message as it was sent.

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
  /** The hash of the bytes that came with the idempotency key. The same key with other bytes is refused. */
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
  // Only the door sets the following fields: who requested the approval, the traceparent header if it is valid, the inputs kept
  // as blobs, and whether the sender of a session's first message may send to every workspace.
  readonly sender?: string;
  readonly traceparent?: string;
  readonly lifted?: readonly LiftedPlace[];
  readonly isUnbound?: true;
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
  readonly door: string;
  /** The sender's name at the door. */
  readonly by: string;
  readonly code: string;
  readonly reason: string;
  readonly path?: string;
  /** The length of the message as sent. */
  readonly bytes: number;
  /** The hash of the message; absent if the door did not read the message to its end. */
  readonly sha256?: string;
  /** The beginning of the message. */
  readonly body: string;
  /** The subject of a message that came over NATS. */
  readonly subject?: string;
  /** Headers by which the sender recognises the message. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How many refused messages got no dead letter of their own since the last dead letter. */
  readonly unrecorded?: number;
  /** The workspace of the refused message, if no other field names the workspace. */
  readonly workspace?: string;
  /** The session that the message names: its address, or its id if the door found no workspace. */
  readonly session?: string;
}

/** Requests a sweep: of changes up to number `published`, and of sweeps' notes (turn/trimming) before position `trimmed`. */
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
  /** The keys of further rows that contain content of the session. The door found these rows. */
  readonly rows: readonly string[];
  readonly by: string;
}

/** A message without content: its turn writes dead letters that earlier turns left due, and shows that the journal has room. */
export interface Tallied {
  readonly type: "tallied";
  /** The last believed time plus the time since then, ms, as counted by a process that does not believe the clock. */
  readonly reckoned?: number;
}

/** The operator accepts the clock that stamps the journal (journal-time). */
export interface ClockAccepted {
  readonly type: "clock.accepted";
}

/** How much is stored of each workspace (`found`), and what its account said when measuring began (`before`; rows/keeping). */
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
  /** How long after it is made the rule expires, ms. */
  readonly forMs?: number;
  readonly by: string;
}

/** A person puts a file of rules in force: all rules of the file, and no rule that only an earlier file had. */
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
  return OWN_MESSAGES[said.type].isInput;
}

export type Message = SourceMessage | OwnMessage;

/** The workspace and the session of own messages that are about no session. */
export const ENGINE = { workspace: "signalbox" as WorkspaceId, session: "engine" as SessionId };

/** Translates a source's message into inputs, without side effects. @throws RefusedError if it cannot be understood. */
export type Translate = (message: SourceMessage) => readonly SourceInput[];

/** The text of a message. Equal messages always have the same text, whoever built them. */
export function writeMessage(message: Message): string {
  if (message.door === "own") return JSON.stringify(message);
  const { door, workspace, session, id, source, type, ...rest } = message;
  return JSON.stringify({ door, workspace, session, id, source, type, ...rest });
}

const SET_ASIDE = "The entry became a dead letter; nothing else changed.";

/** @throws RefusedError for a text that is not a message, which becomes a dead letter. */
export function readMessage(body: string): Message {
  const known = jsonIn(body) as Partial<Message> | null | undefined;
  if (known === undefined) throw new RefusedError("NOT_JSON", "A journal entry is not JSON.", SET_ASIDE);
  if (typeof known !== "object" || known === null || (known.door !== "in" && known.door !== "own")) {
    throw new RefusedError(
      "NOT_A_MESSAGE",
      'The field "door" of a journal entry is neither "in" nor "own".',
      SET_ASIDE,
      "door",
    );
  }
  const field = missing(known);
  if (field !== undefined) {
    throw new RefusedError(
      "NOT_A_MESSAGE",
      `The field "${field}" of a journal entry is malformed.`,
      SET_ASIDE,
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

/**
 * Each own message: whether it is an input of machines, and who may send it (cluster/says). For `begins`, the turn decides
 * whether the term counts (CLUSTER-TERM-1).
 */
export const OWN_MESSAGES: {
  readonly [T in OwnMessage["said"]["type"]]: {
    readonly isInput: T extends OwnInput["type"] ? true : false;
    readonly by: "owner" | "owner's door" | "door" | "begins";
  };
} = {
  decision: { isInput: true, by: "door" },
  assigned: { isInput: true, by: "door" },
  "timer.fired": { isInput: true, by: "owner" },
  "process.gone": { isInput: true, by: "owner" },
  "waiter.gone": { isInput: true, by: "owner" },
  "term.begun": { isInput: false, by: "begins" },
  "term.ended": { isInput: false, by: "owner" },
  configured: { isInput: false, by: "owner" },
  swept: { isInput: false, by: "owner" },
  tallied: { isInput: false, by: "owner" },
  measured: { isInput: false, by: "owner" },
  "clock.accepted": { isInput: false, by: "owner's door" },
  refused: { isInput: false, by: "door" },
  retried: { isInput: false, by: "door" },
  dismissed: { isInput: false, by: "door" },
  "session.forgotten": { isInput: false, by: "owner's door" },
  "rule.added": { isInput: false, by: "door" },
  "rule.removed": { isInput: false, by: "door" },
  "rules.applied": { isInput: false, by: "door" },
  "rule.enforced": { isInput: false, by: "door" },
  "policy.set": { isInput: false, by: "owner" },
  "policy.dropped": { isInput: false, by: "owner" },
  "policy.ruled": { isInput: false, by: "owner" },
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
  return Object.hasOwn(OWN_MESSAGES, String(said?.type)) ? undefined : "said";
}

/** True for a whole number from 0 to 2⁵³ − 1. Above this, two different numbers may become equal. */
const isNumber = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

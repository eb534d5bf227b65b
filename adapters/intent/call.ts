// Call
// Finds the call that a hook reports among the entries of a transcript.
//
//   Owns:          matching a hook with an entry by the call's id or, if there is no id, by tool, input and time.
//   Does not own:  why the call was made (words).
//
// INTENT-CALL-1. If the hook reports no id, a call in the transcript fits if it has the hook's tool, the same input in every
//     field (unless the query says `matchInput: false`), and a time from `windowMs` before the hook's to one second after it.
//     The newest message with a fitting call counts, because a client begins no message while the previous message has open
//     calls.
// INTENT-CALL-2. A call whose result came more than two seconds before the hook is an earlier call, and does not fit: the
//     transcript may not have the hook's own call yet. If the hook's time is unknown, a call with a result fits only if the
//     result is the last thing in the file.

import { type CallBlock, type Entry, hashOf } from "./entry.ts";
import type { History, Scope } from "./history.ts";
import { type IntentCode, type IntentQuery, limitsOf } from "./query.ts";

export interface FoundCall {
  readonly entry: Entry;
  readonly block: number;
  readonly call: CallBlock;
}

export interface FoundCalls {
  readonly how: "id" | "input" | "name";
  readonly calls: readonly FoundCall[];
  /** False if the found calls may be the wrong ones: a call's time cannot be read, or the call has ended. */
  readonly isSure: boolean;
}

export interface Miss {
  readonly code: IntentCode;
  readonly reason: string;
}

/** How far the time of a call's line may be after its hook's time: the line is written first, but both times are inexact. */
const AHEAD_MS = 1_000;
/** How long after a call's result the call's hook may still arrive, although the client sent the hook before. */
const LATE_MS = 2_000;
/** How far the order of lines in the file may differ from the order of their times. */
const DISORDER_MS = 60_000;

export async function findCalls(
  history: History,
  query: IntentQuery,
  scope: Scope,
): Promise<FoundCalls | Miss> {
  return query.toolUseId === undefined ? search(history, query, scope) : byId(history, query, scope);
}

async function byId(history: History, query: IntentQuery, scope: Scope): Promise<FoundCalls | Miss> {
  const { maxEntries } = limitsOf(query);
  let isElsewhere = false;
  for (let n = 0; n < maxEntries; n++) {
    const entry = await history.at(n);
    if (!entry) break;
    const call = callsIn(entry).find(({ call }) => call.id === query.toolUseId);
    if (!call) continue;
    if (scope(entry)) return { how: "id", calls: [call], isSure: true };
    isElsewhere ||= query.sessionId !== undefined && entry.session !== query.sessionId;
  }
  return isElsewhere ? otherSession(query) : missing(history, maxEntries, `No call ${query.toolUseId} is`);
}

async function search(history: History, query: IntentQuery, scope: Scope): Promise<FoundCalls | Miss> {
  const { maxEntries, matchInput, windowMs } = limitsOf(query);
  const hash = query.input === undefined ? undefined : hashOf(query.input);
  const byInput = matchInput && query.input !== undefined;
  const seen = new Candidates(query.at, windowMs);
  let others = 0;
  for (let n = 0; n < maxEntries; n++) {
    const entry = await history.at(n);
    if (!entry || seen.isTooOld(entry)) break;
    if (!scope(entry)) continue;
    if (seen.isOver(entry)) break;
    const named = callsIn(entry).filter(({ call }) => call.tool === query.tool);
    const fitting = named.filter(({ call }) => !byInput || (hash !== undefined && call.inputHash === hash));
    others += named.length - fitting.length;
    seen.take(entry, fitting);
  }
  const found = seen.found();
  if (found) return { how: byInput ? "input" : "name", ...found };
  if (seen.ended > 0)
    return {
      code: "HAD_ENDED",
      reason: `${seen.ended === 1 ? "The call that fits" : `Each of the ${seen.ended} calls that fit`} had its result already.`,
    };
  if (others > 0)
    return {
      code: "OTHER_INPUT",
      reason: `${others} ${others === 1 ? "call" : "calls"} of ${query.tool} had another input.`,
    };
  if (query.sessionId !== undefined && history.entries.some((entry) => entry.session !== query.sessionId))
    return otherSession(query);
  return missing(history, maxEntries, `No call of ${query.tool} that fits is`);
}

interface Candidate {
  readonly found: FoundCall;
  readonly hasEnded: boolean;
  /**
   * Whether a later message of the agent, or a later prompt, follows in the transcript after the message that contains the call.
   */
  readonly isPast: boolean;
}

class Candidates {
  readonly #given: number | undefined;
  readonly #windowMs: number;
  #now: number | undefined;
  /** The time of the last entry that had one. A call in an entry without a time counts as made at this time. */
  #lastAt: number | undefined;
  readonly #results = new Map<string, number | undefined>();
  readonly #calls: Candidate[] = [];
  /** The newest entry that is either the agent's or a prompt. */
  #newest: Entry | undefined;

  constructor(at: number | undefined, windowMs: number) {
    this.#given = at;
    this.#now = at;
    this.#windowMs = windowMs;
  }

  isTooOld({ at }: Entry): boolean {
    const now = this.#now;
    return now !== undefined && at !== undefined && now - at > this.#windowMs + DISORDER_MS;
  }

  /** Whether the entry is earlier than the message that contains the found calls. */
  isOver(entry: Entry): boolean {
    const [first] = this.#calls;
    if (!first) return false;
    if (entry.prompt !== undefined) return true;
    return entry.speaker === "agent" && !isOneMessage(entry, first.found.entry);
  }

  /** How many calls would fit if they did not already have a result. */
  get ended(): number {
    return this.#calls.filter(({ hasEnded }) => hasEnded).length;
  }

  take(entry: Entry, calls: readonly FoundCall[]): void {
    this.#lastAt = entry.at ?? this.#lastAt;
    this.#now ??= entry.at;
    if (entry.speaker === "agent" || entry.prompt !== undefined) this.#newest ??= entry;
    for (const id of entry.results) this.#results.set(id, entry.at);
    const [now, at] = [this.#now, this.#lastAt];
    if (now !== undefined && at !== undefined && (at > now + AHEAD_MS || now - at > this.#windowMs)) return;
    const isPast = this.#newest !== undefined && !isOneMessage(this.#newest, entry);
    for (const found of calls) this.#calls.push({ found, hasEnded: this.#hasEnded(found.call), isPast });
  }

  #hasEnded({ id }: CallBlock): boolean {
    if (id === undefined || !this.#results.has(id)) return false;
    const at = this.#results.get(id);
    return this.#given === undefined || at === undefined || at + LATE_MS < this.#given;
  }

  found(): { readonly calls: readonly FoundCall[]; readonly isSure: boolean } | undefined {
    const open = this.#calls.filter(({ hasEnded }) => !hasEnded);
    const ended = this.#given === undefined ? this.#calls.filter(({ isPast }) => !isPast) : [];
    const taken = open.length > 0 ? open : ended;
    if (taken.length === 0) return undefined;
    const isSure = taken.every(({ found, hasEnded }) => found.entry.at !== undefined && !hasEnded);
    return { calls: taken.map(({ found }) => found), isSure };
  }
}

const isOneMessage = (a: Entry, b: Entry): boolean =>
  a === b || (a.messageId !== undefined && a.messageId === b.messageId);

/** The calls in a line, the last call first. */
export const callsIn = (entry: Entry): readonly FoundCall[] =>
  entry.blocks
    .flatMap((block, n) => ("call" in block ? [{ entry, block: n, call: block.call }] : []))
    .reverse();

const otherSession = ({ sessionId }: IntentQuery): Miss => ({
  code: "OTHER_SESSION",
  reason: `The transcript is of another session, not of ${sessionId}.`,
});

function missing(history: History, maxEntries: number, subject: string): Miss {
  const isWhole = history.end === "start" && history.entries.length <= maxEntries;
  const where = isWhole ? "in" : `among the last ${maxEntries} entries of`;
  return { code: "NO_SUCH_CALL", reason: `${subject} ${where} ${history.path}.` };
}

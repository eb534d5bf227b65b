// Extractor
// Finds from transcripts why calls were made (S2 of docs/why/requirements.md).
//
//   Owns:          one lookup, from the path of a transcript to the answer; the files cached between lookups; the log lines.
//   Does not own:  each step (transcript-file, history, call, words), the counters (measures).
//
// INTENT-EXTRACTOR-1. A lookup always returns an answer and never throws: every error is returned as an outcome with a reason.
// INTENT-EXTRACTOR-2. The same file and the same query give the same answer: the answer depends on no clock.

import { basename } from "node:path";
import { findCalls, type FoundCall, type FoundCalls, type Miss } from "./call.ts";
import type { Entry } from "./entry.ts";
import { History, type Scope } from "./history.ts";
import { type IntentAlert, type IntentCounts, Measures } from "./measures.ts";
import { defined } from "../../machines/defined.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { checkArgument, checkOptions, type Options } from "../../runtime/errors/given-options.ts";
import type { ExtractedIntent, IntentCode, IntentOutcome, IntentQuery, SkippedLines } from "./query.ts";
import { NOTHING_SKIPPED } from "./query.ts";
import { agentFile, TranscriptFile, UnreadableTranscript } from "./transcript-file.ts";
import { type Words, wordsOf } from "./words.ts";

/** A logger with the methods of pino. */
export interface IntentLog {
  debug(facts: object, text: string): void;
}

export interface ExtractorOptions {
  /** Gets a line for every lookup, with the path, the tool, the outcome, the reason and the time that the lookup took. */
  readonly log?: IntentLog;
  /** The clock that measures how long a lookup takes, ms. */
  readonly now?: () => number;
  /** The limits for queries that name no limits themselves. */
  readonly defaults?: Pick<IntentQuery, "windowMs" | "maxEntries" | "matchInput">;
  /** For how many files the entries are cached for the next lookup; 0 for no cache. Default: 2. */
  readonly cachedFiles?: number;
}

const OPTIONS = {
  log: "an object",
  now: "a function",
  defaults: "an object",
  cachedFiles: "a number",
} as const satisfies Record<keyof ExtractorOptions, Options[string]>;

/**
 * If several calls fit equally well, the words before at most this many further ones are compared with the words before the
 * first; if even more calls fit, the answer is `AMBIGUOUS`.
 */
const COMPARED_MAX = 16;

export class IntentExtractor {
  readonly #options: ExtractorOptions;
  readonly #now: () => number;
  readonly #measures = new Measures();
  /** The cached files by path; the file that was used last is at the end. */
  readonly #kept = new Map<string, History>();
  #last: Promise<unknown> = Promise.resolve();

  /** @throws RefusedError BAD_OPTION */
  constructor(options: ExtractorOptions = {}) {
    checkOptions("new IntentExtractor", options, OPTIONS);
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Finds why a call was made; lookups run one after another. @param path the session's transcript, as hooks name it. */
  async extract(path: string, query: IntentQuery): Promise<ExtractedIntent> {
    const done = this.#last.then(() => this.#measured(path, { ...this.#options.defaults, ...query }));
    this.#last = done;
    return done;
  }

  counts(): IntentCounts {
    return this.#measures.counts();
  }

  /** The present problems of lookups: they find words too rarely, take too long, or too often cannot read their file. */
  alerts(): readonly IntentAlert[] {
    return this.#measures.alerts();
  }

  async #measured(path: string, query: IntentQuery): Promise<ExtractedIntent> {
    const from = this.#now();
    const answer = await this.#answered(path, query);
    const ms = this.#now() - from;
    this.#measures.add(answer, ms);
    const { outcome, code, reason, source, confidence, call, skipped } = answer;
    const facts = { path, tool: query.tool, toolUseId: call?.toolUseId ?? query.toolUseId, how: call?.how };
    this.#options.log?.debug(
      { ...facts, candidates: call?.candidates, outcome, code, source, confidence, skipped, ms },
      reason ?? "The intent was found.",
    );
    return answer;
  }

  async #answered(path: string, query: IntentQuery): Promise<ExtractedIntent> {
    try {
      checkArgument("A lookup", "path", path, "text");
      return await this.#read(path, query);
    } catch (error) {
      // A cached part of the file may have caused the error, so the cache is emptied.
      this.#kept.clear();
      if (error instanceof RefusedError) return unreadable("CANNOT_READ", error.message);
      if (!(error instanceof UnreadableTranscript)) return unreadable("CANNOT_READ", String(error));
      if (error.code !== "CHANGED") return unreadable(error.code, error.message);
      return this.#read(path, query).catch((again: unknown) => unreadable("CHANGED", String(again)));
    }
  }

  async #read(path: string, query: IntentQuery): Promise<ExtractedIntent> {
    const file = await openFor(path, query.agentId);
    try {
      const history = this.#historyOf(file);
      return await answerFrom(history, query);
    } finally {
      await file.close();
    }
  }

  #historyOf(file: TranscriptFile): History {
    const { cachedFiles = 2 } = this.#options;
    const kept = this.#kept.get(file.path);
    const isKnown = kept?.mark === file.mark;
    const history = isKnown ? kept : new History(file);
    if (!isKnown) this.#measures.addFile();
    history.goOn(file);
    this.#kept.delete(file.path);
    this.#kept.set(file.path, history);
    for (const path of this.#kept.keys()) if (this.#kept.size > cachedFiles) this.#kept.delete(path);
    return history;
  }
}

/** Opens the file with the agent's words: a subagent's own file, or, with an older client that writes none, the session's. */
export async function openFor(path: string, agentId: string | undefined): Promise<TranscriptFile> {
  const own = agentId === undefined ? undefined : await agentFile(path, agentId);
  if (own === undefined || own === path) return TranscriptFile.open(path);
  return TranscriptFile.open(own).catch((error: unknown) => {
    if (error instanceof UnreadableTranscript && error.code === "NO_FILE") return TranscriptFile.open(path);
    throw error;
  });
}

async function answerFrom(history: History, query: IntentQuery): Promise<ExtractedIntent> {
  const scope = scopeOf(history.path, query);
  const found = await findCalls(history, query, scope);
  const answer = "code" in found ? found : await agreedWords(history, found, scope, query.display);
  const skipped = skippedBy(history, query);
  if ("code" in answer) {
    const outcome = answer.code === "NONE_WRITTEN" ? "none-written" : "not-found";
    const call = "calls" in found && found.calls.length === 1 ? callOf(history, found) : undefined;
    return { ...empty(outcome, answer.code, answer.reason, skipped), ...defined({ call }) };
  }
  const { intent, entry } = answer;
  const call = "calls" in found ? callOf(history, found) : undefined;
  const isWeaker = "calls" in found && !found.isSure && intent.confidence === "certain";
  return {
    outcome: "found",
    ...intent,
    ...(isWeaker && { confidence: "likely" }),
    ...(entry && { place: placeOf(history, entry) }),
    ...defined({ call }),
    skipped,
  };
}

async function agreedWords(
  history: History,
  { calls }: FoundCalls,
  scope: Scope,
  display: string | undefined,
): Promise<Words | Miss> {
  const [first, ...others] = calls;
  if (!first) return { code: "NO_SUCH_CALL", reason: "No call fits." };
  const words = await wordsOf(history, first, scope, display);
  for (const other of others.slice(0, COMPARED_MAX)) {
    const its = await wordsOf(history, other, scope, display);
    if (textOf(its) !== textOf(words) || others.length > COMPARED_MAX)
      return {
        code: "AMBIGUOUS",
        reason: `${calls.length} calls fit, and the agent said different things before them.`,
      };
  }
  return words;
}

const textOf = (words: Words | Miss): string | undefined =>
  "intent" in words ? words.intent.text : undefined;

/** Selects the lines of the main agent, or of the given subagent. In a subagent's own file, all lines are the subagent's. */
export function scopeOf(
  path: string,
  { agentId, sessionId }: Pick<IntentQuery, "agentId" | "sessionId">,
): Scope {
  const isAgentFile = basename(path).startsWith("agent-");
  const isAgents = (entry: Entry): boolean => {
    if (isAgentFile) return agentId === undefined || entry.agent === undefined || entry.agent === agentId;
    return agentId === undefined ? !entry.isSidechain : entry.agent === agentId;
  };
  return (entry) => isAgents(entry) && (sessionId === undefined || isOfSession(entry, sessionId));
}

const isOfSession = (entry: Entry, sessionId: string): boolean =>
  entry.session === undefined || entry.session === sessionId;

function skippedBy(history: History, { sessionId }: IntentQuery): SkippedLines {
  if (sessionId === undefined) return history.skipped;
  const otherSession = history.entries.filter((entry) => !isOfSession(entry, sessionId)).length;
  return { ...history.skipped, otherSession };
}

function callOf(history: History, { calls, how }: FoundCalls): ExtractedIntent["call"] {
  const [first] = calls as readonly [FoundCall, ...FoundCall[]];
  return {
    toolUseId: first.call.id ?? "",
    how,
    candidates: calls.length,
    place: placeOf(history, first.entry),
  };
}

const placeOf = ({ path }: History, { offset, uuid }: Entry) => ({ path, offset, ...defined({ uuid }) });

const empty = (
  outcome: IntentOutcome,
  code: IntentCode,
  reason: string,
  skipped: SkippedLines,
): ExtractedIntent => ({ outcome, text: "", code, reason, skipped });

const unreadable = (code: IntentCode, reason: string): ExtractedIntent =>
  empty("unreadable", code, reason, NOTHING_SKIPPED);

// Query
// What is asked about a call's intent, and what can be answered.
//
//   Owns:          the words of query and answer, the defaults of the limits.
//   Does not own:  how the answer is found.

import type { Intent } from "../../machines/inputs.ts";

/** Which call is meant, and how far to look for it. */
export interface IntentQuery {
  /** The tool's name, as the hook gives it. */
  readonly tool: string;
  /** The tool's input, as the hook gives it; a call matches whose input is the same in every field. */
  readonly input?: unknown;
  /** The call's own id. Where it is given nothing else has to match, and no window holds. */
  readonly toolUseId?: string;
  /** The subagent that made the call. Its words are in a file beside the session's. */
  readonly agentId?: string;
  /** The session the lines must name; lines of another one are left out and counted. */
  readonly sessionId?: string;
  /**
   * When the hook came, ms since 1970: a call that had its result before, or that was written after, is not the one. Default:
   * the time of the file's newest entry, and then a call whose result is the last thing told is taken where no open one fits.
   */
  readonly at?: number;
  /** For how long before `at` a call without an id is looked for. Default, and for what is not above 0: 60,000 ms. */
  readonly windowMs?: number;
  /** Among how many of the newest entries the call is looked for. Default, and for what is not above 0: 100. */
  readonly maxEntries?: number;
  /** Whether inputs must match, where there are two to compare. Default: true. */
  readonly matchInput?: boolean;
  /** What the client's MessageDisplay hook showed last before the call, where that is known. */
  readonly display?: string;
}

/** Where a line stands: `offset` bytes from the file's start. */
export interface TranscriptPlace {
  readonly path: string;
  readonly offset: number;
  readonly uuid?: string;
}

/**
 * `found`: there are words. `none-written`: the call is there, and nobody wrote why. `not-found`: the call is not there, or
 * which one is meant cannot be told, or what it was said under lies too far back. `unreadable`: the file cannot be read.
 */
export type IntentOutcome = "found" | "none-written" | "not-found" | "unreadable";

export interface ExtractedIntent {
  readonly outcome: IntentOutcome;
  /** The words; empty for every outcome but `found`. */
  readonly text: string;
  readonly source?: Intent["source"];
  readonly confidence?: Intent["confidence"];
  /** Where the words stand. */
  readonly place?: TranscriptPlace;
  /** The call that was found, by what, and among how many that fit. */
  readonly call?: {
    readonly toolUseId: string;
    readonly how: "id" | "input" | "name";
    readonly candidates: number;
    readonly place: TranscriptPlace;
  };
  /** Why there are no words, in a sentence. */
  readonly reason?: string;
  /** The reason in a word: `NO_FILE`, `AMBIGUOUS`, … */
  readonly code?: IntentCode;
  readonly skipped: SkippedLines;
}

export type IntentCode =
  | "NO_FILE"
  | "A_LINK"
  | "NOT_A_FILE"
  | "NO_PERMISSION"
  | "CANNOT_READ"
  | "CHANGED"
  | "BAD_AGENT_ID"
  | "NO_SUCH_CALL"
  | "OTHER_INPUT"
  | "HAD_ENDED"
  | "OTHER_SESSION"
  | "AMBIGUOUS"
  | "TOO_FAR_BACK"
  | "CHAIN_BROKEN"
  | "NONE_WRITTEN";

/** Lines that were passed over, by reason. */
export interface SkippedLines {
  readonly notJson: number;
  readonly notUtf8: number;
  readonly tooLong: number;
  readonly wrongShape: number;
  readonly doubled: number;
  readonly otherSession: number;
  /** Lines whose time cannot be read: used all the same, by their position. */
  readonly badTime: number;
}

export const NOTHING_SKIPPED: SkippedLines = {
  notJson: 0,
  notUtf8: 0,
  tooLong: 0,
  wrongShape: 0,
  doubled: 0,
  otherSession: 0,
  badTime: 0,
};

const WINDOW_MS = 60_000;
const ENTRIES = 100;

/** The limits of a query, each with its default where it is missing or makes no sense. */
export const limitsOf = ({ windowMs, maxEntries, matchInput }: IntentQuery) => ({
  windowMs: sensible(windowMs) ?? WINDOW_MS,
  maxEntries: sensible(maxEntries) ?? ENTRIES,
  matchInput: matchInput ?? true,
});

const sensible = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? value : undefined;

// Query
// The query for a call's intent, and its answer.
//
//   Owns:          the fields of query and answer, the defaults of the limits.
//   Does not own:  finding the answer (extractor).

import type { Intent } from "../../machines/inputs.ts";

/** Says for which call an intent is searched, and how much of the session's transcript is searched for it. */
export interface IntentQuery {
  /** The tool's name, as the hook gives it. */
  readonly tool: string;
  /** The tool's input, as the hook gives it; a call fits if its input is the same in every field. */
  readonly input?: unknown;
  /** The call's own id. With an id, nothing else has to match, and no window applies. */
  readonly toolUseId?: string;
  /** The subagent that made the call. Its words are in a file beside the session's. */
  readonly agentId?: string;
  /** The session that the lines must name; lines of another session are left out and counted. */
  readonly sessionId?: string;
  /**
   * When the hook came, ms since 1970: a call that had its result before, or that was written later, does not fit. Default: the
   * time of the file's newest entry. If no open call fits then, a call whose result is the last thing in the file does.
   */
  readonly at?: number;
  /** How long before `at` a call without an id is searched. Default, and for values not above 0: 60,000 ms. */
  readonly windowMs?: number;
  /** How many of the newest entries are searched. Default, and for values not above 0: 100. */
  readonly maxEntries?: number;
  /** Whether inputs must match, if there are two to compare. Default: true. */
  readonly matchInput?: boolean;
  /** The last text that the client's MessageDisplay hook showed before the call, if known. */
  readonly display?: string;
}

/** A line's place: `offset` bytes from the file's start. */
export interface TranscriptPlace {
  readonly path: string;
  readonly offset: number;
  readonly uuid?: string;
}

/**
 * `found`: there are words. `none-written`: the call was found, and nobody wrote a reason. `not-found`: the call is missing,
 * several calls fit, or its words are too far back. `unreadable`: the file cannot be read.
 */
export type IntentOutcome = "found" | "none-written" | "not-found" | "unreadable";

export interface ExtractedIntent {
  readonly outcome: IntentOutcome;
  /** The words; empty for every outcome but `found`. */
  readonly text: string;
  readonly source?: Intent["source"];
  readonly confidence?: Intent["confidence"];
  /** Where the words are. */
  readonly place?: TranscriptPlace;
  /** The call that was found, by which method, and among how many that fit. */
  readonly call?: {
    readonly toolUseId: string;
    readonly how: "id" | "input" | "name";
    readonly candidates: number;
    readonly place: TranscriptPlace;
  };
  /** Why no words were found, as a sentence; absent if some were found. */
  readonly reason?: string;
  /** The reason as a code: `NO_FILE`, `AMBIGUOUS`, … */
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

/** Lines that were skipped, by reason. */
export interface SkippedLines {
  readonly notJson: number;
  readonly notUtf8: number;
  readonly tooLong: number;
  readonly wrongShape: number;
  readonly doubled: number;
  readonly otherSession: number;
  /** Lines with an unreadable time, which are used by their position. */
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

/** The limits of a query, each with its default if it is missing or not above 0. */
export const limitsOf = ({ windowMs, maxEntries, matchInput }: IntentQuery) => ({
  windowMs: sensible(windowMs) ?? WINDOW_MS,
  maxEntries: sensible(maxEntries) ?? ENTRIES,
  matchInput: matchInput ?? true,
});

const sensible = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? value : undefined;

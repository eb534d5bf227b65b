// Query
// The query for a call's intent, and the answer to it.
//
//   Owns:          the fields of query and answer, the defaults of the limits.
//   Does not own:  finding the answer (extractor).

import type { Intent } from "../../machines/inputs.ts";

/** Says for which call an intent is looked for, and how much of the session's transcript is searched. */
export interface IntentQuery {
  /** The tool's name, as the hook gives it. */
  readonly tool: string;
  /** The tool's input, as the hook gives it. A call fits only if its input is the same in every field. */
  readonly input?: unknown;
  /** The call's id. If the query has an id, nothing else has to match, and `windowMs` is ignored. */
  readonly toolUseId?: string;
  /** The id of the subagent that made the call. The subagent's words are in a file of its own beside the session's. */
  readonly agentId?: string;
  /** The session that the lines must name. Lines of other sessions are skipped and counted. */
  readonly sessionId?: string;
  /**
   * When the hook came, ms since 1970. A call does not fit if its result came before this time, or its line was written after it.
   * Default: the time of the file's newest entry. With the default, if no call without a result fits, a call fits whose result is
   * the last thing in the file.
   */
  readonly at?: number;
  /** How long before `at` a call may have been made, if the query has no id. Default, and for values not above 0: 60,000 ms. */
  readonly windowMs?: number;
  /** How many of the newest entries are searched. Default, and for values not above 0: 100. */
  readonly maxEntries?: number;
  /** Whether the call's input must equal the query's, if both are known. Default: true. */
  readonly matchInput?: boolean;
  /** The last text that the client's MessageDisplay hook gave before the call, if known. */
  readonly display?: string;
}

/** The place of a line in a transcript: it begins `offset` bytes after the file's start. */
export interface TranscriptPlace {
  readonly path: string;
  readonly offset: number;
  readonly uuid?: string;
}

/**
 * `found`: the lookup found words. `none-written`: the call was found, but nobody wrote why it was made. `not-found`: the call is
 * missing, several calls fit, or the words are too far back in the file. `unreadable`: the file cannot be read.
 */
export type IntentOutcome = "found" | "none-written" | "not-found" | "unreadable";

export interface ExtractedIntent {
  readonly outcome: IntentOutcome;
  /** The words that say why the call was made; empty for every outcome but `found`. */
  readonly text: string;
  readonly source?: Intent["source"];
  readonly confidence?: Intent["confidence"];
  /** Where in the transcript the words are. */
  readonly place?: TranscriptPlace;
  /** The call that was found, the method by which it was found, and how many calls fit. */
  readonly call?: {
    readonly toolUseId: string;
    readonly how: "id" | "input" | "name";
    readonly candidates: number;
    readonly place: TranscriptPlace;
  };
  /** A sentence that says why no words were found; absent if words were found. */
  readonly reason?: string;
  /** The code of the reason why no words were found: `NO_FILE`, `AMBIGUOUS`, … */
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

/** How many lines were skipped, by reason. */
export interface SkippedLines {
  readonly notJson: number;
  readonly notUtf8: number;
  readonly tooLong: number;
  readonly wrongShape: number;
  readonly doubled: number;
  readonly otherSession: number;
  /** How many lines have an unreadable time; such a line is used, with its position in the file instead of its time. */
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

/** The limits of a query; a limit that is missing or not above 0 has its default value. */
export const limitsOf = ({ windowMs, maxEntries, matchInput }: IntentQuery) => ({
  windowMs: sensible(windowMs) ?? WINDOW_MS,
  maxEntries: sensible(maxEntries) ?? ENTRIES,
  matchInput: matchInput ?? true,
});

const sensible = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? value : undefined;

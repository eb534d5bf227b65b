// Trouble
// A trouble: what does not work at the moment, for people. Whoever meets it reports it for as long as it lasts.
//
//   Owns:          its shape; what is an error of the system's, and its name.
//   Does not own:  what can go wrong (journal, outlet-publisher, adapters), where it is shown (adapters).
//
// ERRORS-TROUBLE-1. Anybody may read it: it has codes, counts and our own words; no ids, nothing that was sent, no
//     text of an error. (by review: each trouble is a sentence in the code)
// ERRORS-TROUBLE-2. A system error has the system's own name, also where Node knows only its number.

/** What a start waits for. Any other passing failure is for the next process: a start that has begun cannot begin again. */
export const AWAITED = [
  "FOLDER_FULL",
  "FOLDER_READ_ONLY",
  "NATS_UNAVAILABLE",
  "STORE_FULL",
  "STORE_READ_ONLY",
] as const;
export type Awaited = (typeof AWAITED)[number];

/** All that can be wrong: the run book (docs/operations.md) has a section for each. */
export type TroubleCode =
  | Awaited
  /** Nothing is taken in, or nobody hears of it. */
  | "JOURNAL_FULL"
  | "NATS_AWAY"
  | "JETSTREAM_SILENT"
  | "CHANGES_STUCK"
  | "STANDING_BY"
  /** The rest goes on. */
  | "CHANGES_HELD"
  | "LETTERS_STUCK"
  | "LETTERS_HELD"
  | "STREAM_MADE_AGAIN"
  | "CLOCK_AHEAD"
  | "CLOCK_BEHIND"
  | "SWEEP_FAILS"
  | "STATE_FILES_STUCK"
  | "NOTIFY_FAILS"
  | "TRACES_STUCK"
  | "AUDIT_LOG_DIFFERS"
  | "AUDIT_LOG_STUCK"
  | "CHECKPOINTS_STAY"
  | "PEOPLE_UNREADABLE"
  | "TRANSCRIPTS_UNREADABLE"
  | "TRANSCRIPTS_REFUSED"
  | "TRANSCRIPTS_CROWDED"
  | "TRANSCRIPT_PLACES_STUCK";

export interface Trouble {
  readonly code: TroubleCode;
  readonly message: string;
  /** What to do, for a person. */
  readonly next: string;
  /** Since when, ms. */
  readonly since: number;
  /** True if messages cannot be taken in, or nobody hears of their effects: the engine is not ready. */
  readonly isEssential: boolean;
}

/** An exceeded disk quota, which Node has no name for, by its number on Linux and on macOS. */
const NAMELESS: Readonly<Record<string, string>> = {
  "Unknown system error -122": "EDQUOT",
  "Unknown system error -69": "EDQUOT",
};

/** The system's name for a code of Node's. */
export const systemName = (code: string): string => NAMELESS[code] ?? code;

/** An error of the system's, as Node gives it. */
export interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
}

export const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";

/** The system says that there is no such file. */
export const isMissing = (error: unknown): boolean => isSystemError(error) && error.code === "ENOENT";

/** The code of an error, if it is one of ours or the system's; else the name of its class. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "UNKNOWN";
  return "code" in error && typeof error.code === "string" ? systemName(error.code) : error.name;
}

/** What to do, if the error is one of ours. */
export const nextOf = (error: unknown): string =>
  error instanceof Error && "next" in error && typeof error.next === "string"
    ? error.next
    : "See the engine's log.";

/** The given troubles that exist, in order. */
export const allOf = (...told: readonly (Trouble | readonly Trouble[] | undefined)[]): readonly Trouble[] =>
  told.flatMap((each) => each ?? []);

// Trouble
// The things that do not work at the moment, for people. The part that meets a trouble reports it as long as it lasts.
//
//   Owns:          the shape of a trouble; which errors come from the system, and their names.
//   Does not own:  the troubles themselves (journal, outlet-publisher, adapters), showing them (adapters).
//
// ERRORS-TROUBLE-1. Anybody may read a trouble, so it contains only codes, counts and Signalbox's own words: no ids,
//     nothing that was sent, and no error's text. (checked by review: each trouble is a sentence in the code)
// ERRORS-TROUBLE-2. A system error is shown by the system's name for it, even if Node knows only its number.

/**
 * Failures whose end a start waits for. After any other passing failure the process ends, and the next process tries again,
 * because a start cannot be repeated within one process.
 */
export const AWAITED = [
  "FOLDER_FULL",
  "FOLDER_READ_ONLY",
  "NATS_UNAVAILABLE",
  "STORE_FULL",
  "STORE_READ_ONLY",
] as const;
export type Awaited = (typeof AWAITED)[number];

/** All troubles. The run book (docs/how-to/operations.md) has a section for each. */
export type TroubleCode =
  | Awaited
  /** The engine takes no messages, or nobody learns of its changes. */
  | "JOURNAL_FULL"
  | "NATS_AWAY"
  | "JETSTREAM_SILENT"
  | "CHANGES_STUCK"
  | "STANDING_BY"
  /** The engine continues to work in spite of these troubles. */
  | "CHANGES_HELD"
  | "LETTERS_STUCK"
  | "LETTERS_HELD"
  | "STREAM_MADE_AGAIN"
  | "SPARE_DIFFERS"
  | "NO_SPARE_HOLDS"
  | "WRONG_PARTITION"
  | "CLOCK_AHEAD"
  | "CLOCK_BEHIND"
  | "SWEEP_FAILS"
  | "STATE_FILES_STUCK"
  | "NOTIFY_FAILS"
  | "TRACES_STUCK"
  | "AUDIT_LOG_DIFFERS"
  | "AUDIT_LOG_STUCK"
  | "CHECKPOINTS_STAY"
  | "PEERS_SILENT"
  | "NOT_JOINED"
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
  /** When the trouble began, ms. */
  readonly since: number;
  /** True if the engine takes no messages, or nobody learns of their effects, so that it is not ready. */
  readonly isEssential: boolean;
}

/** Node has no name for "disk quota exceeded"; these are its numbers on Linux and on macOS. */
const NAMELESS: Readonly<Record<string, string>> = {
  "Unknown system error -122": "EDQUOT",
  "Unknown system error -69": "EDQUOT",
};

/** The system's name for Node's error code. */
export const systemName = (code: string): string => NAMELESS[code] ?? code;

/** An error from the operating system, as Node gives it. */
export interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
}

export const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";

/** True if the system says that there is no such file. */
export const isMissing = (error: unknown): boolean => isSystemError(error) && error.code === "ENOENT";

/** The error's code, if it is Signalbox's or the system's; otherwise the name of its class. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "UNKNOWN";
  return "code" in error && typeof error.code === "string" ? systemName(error.code) : error.name;
}

/** What a person can do about the error, if it is Signalbox's. */
export const nextOf = (error: unknown): string =>
  error instanceof Error && "next" in error && typeof error.next === "string"
    ? error.next
    : "See the engine's log.";

export const allOf = (...told: readonly (Trouble | readonly Trouble[] | undefined)[]): readonly Trouble[] =>
  told.flatMap((each) => each ?? []);

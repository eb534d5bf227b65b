// Trouble
// Troubles: the things that do not work at the moment, as people see them. The part of the engine that meets a trouble reports it
// as long as it lasts.
//
//   Owns:          the shape of a trouble; which errors come from the system, and their names.
//   Does not own:  the troubles themselves (journal, outlet-publisher, adapters), showing troubles (adapters).
//
// ERRORS-TROUBLE-1. Anybody may read a trouble, so it contains only codes, counts and Signalbox's own words: no ids,
//     nothing that was sent, and no error's text. (checked by review: each trouble is a sentence in the code)
// ERRORS-TROUBLE-2. A system error is shown under its system name (such as `ENOSPC`), even if Node gives only the number of the
//     error.

/**
 * After one of these failures, a start repeats the failed step each second until the failure has ended (composition/patience).
 * After any other failure, the process ends; if the failure passes, a later process can start.
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
  /** While one of the following troubles lasts, the engine takes no messages, or nobody learns of its changes. */
  | "JOURNAL_FULL"
  | "NATS_AWAY"
  | "JETSTREAM_SILENT"
  | "CHANGES_STUCK"
  | "STANDING_BY"
  /** While one of the following troubles lasts, the engine continues to work. */
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
  /** Says what a person should do. */
  readonly next: string;
  /** When the trouble began, ms. */
  readonly since: number;
  /** True if the engine takes no messages, or nobody learns of their effects, so that it is not ready. */
  readonly isEssential: boolean;
}

/** Names for errors for which Node has only a number: "disk quota exceeded", on Linux and on macOS. */
const NAMELESS: Readonly<Record<string, string>> = {
  "Unknown system error -122": "EDQUOT",
  "Unknown system error -69": "EDQUOT",
};

/** The system's name for an error, from Node's error code. */
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

/** The code of an error from Signalbox or from the system; for any other error, the name of its class. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "UNKNOWN";
  return "code" in error && typeof error.code === "string" ? systemName(error.code) : error.name;
}

/** Says what a person can do about an error; for an error that is not Signalbox's: see the log. */
export const nextOf = (error: unknown): string =>
  error instanceof Error && "next" in error && typeof error.next === "string"
    ? error.next
    : "See the engine's log.";

export const allOf = (...told: readonly (Trouble | readonly Trouble[] | undefined)[]): readonly Trouble[] =>
  told.flatMap((each) => each ?? []);

// Errors
// The classes of all errors, one for each way to handle a failure: retry, give up, quarantine a session, stop the process.
//
//   Owns:          the classes of errors, their codes, and the advice what a person should do next; the text that names missing
//                  entries of a journal.
//   Does not own:  deciding when to throw an error, finding the missing entries (cursor).

import type { Missing } from "../ports.ts";

/** What the caller of a failed operation must do. */
export type Obligation = "retry" | "give-up" | "quarantine" | "stop";

abstract class SignalboxError extends Error {
  abstract readonly obligation: Obligation;
  readonly code: string;
  /** Says what a person should do next. */
  readonly next: string;

  constructor(code: string, message: string, next: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.next = next;
  }
}

/** A repetition of the same call may succeed later. */
export class RetryableError extends SignalboxError {
  readonly obligation = "retry";
  readonly retryAfterMs: number;

  constructor(code: string, message: string, next: string, retryAfterMs: number, options?: ErrorOptions) {
    super(code, message, next, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A repetition of the same call will never succeed. `path` names the field at fault, if there is one. */
export class RefusedError extends SignalboxError {
  readonly obligation = "give-up";
  readonly path: string | undefined;

  constructor(code: string, message: string, next: string, path?: string) {
    super(code, message, next);
    this.path = path;
  }
}

/**
 * Something does not hold that the code relies on, such as that the rows of a session fit together. If a session is concerned,
 * the engine stops that session and continues with all others.
 */
export class InvariantViolation extends SignalboxError {
  readonly obligation = "quarantine";
}

/** This process must not write any more. */
export class FatalError extends SignalboxError {
  readonly obligation = "stop";
}

export const storeBusy = (dir: string, cause?: unknown): FatalError =>
  new FatalError(
    "STORE_BUSY",
    `Another engine uses the store in ${dir}.`,
    "Stop that engine first, or choose another --data folder.",
    { cause },
  );

export const storeFailed = (cause: unknown): FatalError =>
  new FatalError(
    "STORE_FAILED",
    "The engine could not save its changes to the disk.",
    "The engine stops; `npx signalbox up` starts it again from the last durable state.",
    { cause },
  );

export const storeFenced = (mine: number, found: number): FatalError =>
  new FatalError(
    "STORE_FENCED",
    `Another engine took over the store: the store's epoch is ${found}, and this engine has ${mine}.`,
    "Stop this engine.",
  );

/** What to do with a store of a build before release 0.1.0 (migration). */
const CONVERT_FIRST =
  "Nothing in the store was changed. Signalbox 0.2.0 converts it: start that version on this folder, run `npx signalbox sweep`, and stop it. Then start this version.";

export const storeFormat = (found: number | string, known: number): FatalError =>
  new FatalError(
    "STORE_FORMAT",
    `The store has format ${found}; this version of Signalbox reads and writes format ${known}.`,
    /^2( |$)/.test(String(found))
      ? CONVERT_FIRST
      : "Nothing in the store was changed. Start the version that made the store, or choose another --data folder for this version.",
  );

export const storeUnended = (): FatalError =>
  new FatalError(
    "STORE_FORMAT",
    "A build before release 0.1.0 began the store, and no later version has set all deadlines of its sessions and requests.",
    CONVERT_FIRST,
  );

/** The journal is another one than was read before, is shorter than it was, or lacks entries that were not read yet. */
export class JournalRegressed extends FatalError {
  /**
   * True if the journal has the known incarnation and is at least as long as when it was read: reading can continue where it
   * stopped.
   */
  readonly isSame: boolean;
  /** If `isSame`: the entries that were removed from the journal before they were read. */
  readonly missing: readonly Missing[];

  constructor(message: string, next: string, isSame: boolean, missing: readonly Missing[]) {
    super("JOURNAL_REGRESSED", message, next);
    this.isSame = isSame;
    this.missing = missing;
  }
}

/** Says what to do with a damaged data folder. The engine makes no backups by itself. */
export const FROM_A_COPY =
  "Stop the engine and move the data folder away. Restore a backup (`npx signalbox restore FILE`), or put a copy of the whole folder in its place; the copy must have been made while its engine was stopped.";

export const WITHOUT_A_COPY =
  "Without a backup or a copy, an engine can fill a new folder from the journal, if the journal is on a NATS server and still has its first entry: put the old folder's `key` and `blobs` into the new one first.";

export const journalRegressed = (detail: string): JournalRegressed =>
  new JournalRegressed(
    `The journal is not the one the store has read: ${detail}.`,
    "Restore the journal, or start with a fresh --data folder; `npx signalbox up --adopt-journal` goes on with the present journal from its beginning.",
    false,
    [],
  );

export const journalFull = (reason: string): RetryableError =>
  new RetryableError(
    "JOURNAL_FULL",
    `The journal accepts no more messages: ${reason}.`,
    "Send the message again after the given time. The engine removes from the journal what it has applied; if that is not enough, give the journal more room.",
    2_000,
  );

interface Lack {
  /** True if the store has read nothing yet. */
  readonly isFresh: boolean;
  readonly gone: readonly Missing[];
  /** Entries that were sealed with another key than this engine's. */
  readonly sealed: readonly Missing[];
}

/**
 * The error for a journal that is the same, but lost entries before they were read.
 * @param missing all entries that are missing.
 */
export function journalLacks(missing: readonly Missing[], lack?: Lack): JournalRegressed {
  const { isFresh = false, gone = missing, sealed = [] } = lack ?? {};
  const why = [
    ...(gone.length > 0 ? [isFresh ? begunWithout(gone) : lacks(gone)] : []),
    ...(sealed.length > 0 ? [sealedElsewhere(sealed)] : []),
  ];
  const ways = [
    ...(gone.length > 0 && isFresh ? [FORMER_FOLDER] : []),
    ...(sealed.length > 0 ? [FORMER_KEY] : []),
  ];
  const next = ways.length > 0 ? [...ways, WITHOUT].join(" ") : ONWARDS;
  return new JournalRegressed(why.join(" "), next, true, missing);
}

const NAMED_MAX = 10;

export const countOf = (missing: readonly Missing[]): number =>
  missing.reduce((sum, { first, last }) => sum + last - first + 1, 0);

/**
 * Lists missing positions.
 * @returns a text such as `21–24, 30 (5 in all)`; if there are more than ten ranges, only the first ten.
 */
export function missingText(missing: readonly Missing[]): string {
  const named = missing
    .slice(0, NAMED_MAX)
    .map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`));
  const more = missing.length - named.length;
  const rest = more > 0 ? ` and ${more} more ranges` : "";
  return `${named.join(", ")}${rest} (${countOf(missing)} in all)`;
}

const lacks = (gone: readonly Missing[]): string =>
  `The journal lacks entries that the store has not read: ${missingText(gone)}.`;

const begunWithout = (gone: readonly Missing[]): string =>
  `The data folder is new, and the journal no longer has these entries: ${missingText(gone)}. What they did to sessions and approvals is only in the \`store\` of the data folder that has read them.`;

const sealedElsewhere = (sealed: readonly Missing[]): string =>
  `Entries of the journal are sealed with another key than this data folder's file \`key\`: ${missingText(sealed)}. An engine with another data folder wrote them, or this folder's key was replaced.`;

const FORMER_FOLDER =
  "Start the engine with the data folder that has read these entries (--data), or with a copy of that folder made while its engine was stopped.";

const FORMER_KEY =
  "Put the file `key` of the data folder whose engine wrote the sealed entries in place of this folder's `key`.";

const WITHOUT =
  "If the key that sealed these entries is lost, go on without them: `npx signalbox up --adopt-journal`. The dead letter JOURNAL_GAP records the gap, and the entries' content stays unknown.";

/** The error for a journal that lacks the entry by which its reader recognises the journal. */
export const journalUnknown = (position: number): JournalRegressed =>
  new JournalRegressed(
    `The journal lacks entry ${position}, the last one that the store has read, so it may be another journal.`,
    ONWARDS,
    true,
    [],
  );

const ONWARDS =
  "Restore the journal; or go on without the missing entries: `npx signalbox up --adopt-journal` records the gap.";

export const overloaded = (waiting: number): RetryableError =>
  new RetryableError(
    "OVERLOADED",
    `The engine is overloaded: ${waiting} inputs wait to be applied.`,
    "Send the message again after the given time.",
    1000,
  );

export const badBlobName = (name: string): InvariantViolation =>
  new InvariantViolation(
    "BAD_BLOB_NAME",
    `"${name.slice(0, 80)}" is no SHA-256 in hex, so it names no blob.`,
    "Report this as a defect.",
  );

export const blobDamaged = (hash: string, cause?: unknown): InvariantViolation =>
  new InvariantViolation(
    "BLOB_DAMAGED",
    `The blob ${hash} cannot be read, or its content does not match its name.`,
    "Put the file of this name back into `blobs`, from a copy of the data folder. The engine also writes the file again if the same input is sent again.",
    { cause },
  );

export const blobNotKept = (hash: string, cause: unknown): RetryableError =>
  new RetryableError(
    "BLOB_NOT_KEPT",
    `The engine could not save the blob ${hash} to the disk.`,
    "Make sure that the disk has room, and send the message again.",
    1000,
    { cause },
  );

// Errors
// Every failure by what the one who meets it must do: retry, give up, quarantine a session, stop the process.
//
//   Owns:          the classes, their codes, what to do next.
//   Does not own:  the decision to throw one.

/** What the caller must do. */
export type Obligation = "retry" | "give-up" | "quarantine" | "stop";

abstract class SignalboxError extends Error {
  abstract readonly obligation: Obligation;
  readonly code: string;
  /** What to do next, for a person. */
  readonly next: string;

  constructor(code: string, message: string, next: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.next = next;
  }
}

/** The same call may succeed later. */
export class RetryableError extends SignalboxError {
  readonly obligation = "retry";
  readonly retryAfterMs: number;

  constructor(code: string, message: string, next: string, retryAfterMs: number, options?: ErrorOptions) {
    super(code, message, next, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The same call will never succeed; `path` names the field at fault, where there is one. */
export class RefusedError extends SignalboxError {
  readonly obligation = "give-up";
  readonly path: string | undefined;

  constructor(code: string, message: string, next: string, path?: string) {
    super(code, message, next);
    this.path = path;
  }
}

/** What is stored for one session contradicts itself: that session stops, the process does not. */
export class InvariantViolation extends SignalboxError {
  readonly obligation = "quarantine";
}

/** Nothing may be written any more by this process. */
export class FatalError extends SignalboxError {
  readonly obligation = "stop";
}

export const storeBusy = (dir: string, cause?: unknown): FatalError =>
  new FatalError(
    "STORE_BUSY",
    `Another engine holds the store in ${dir}.`,
    "Stop it first, or choose another --data folder.",
    { cause },
  );

export const storeFailed = (cause: unknown): FatalError =>
  new FatalError(
    "STORE_FAILED",
    "A commit could not be made durable.",
    "The engine stops; `npx signalbox up` starts it again from the last durable state.",
    { cause },
  );

export const storeFenced = (mine: number, found: number): FatalError =>
  new FatalError(
    "STORE_FENCED",
    `The store has epoch ${found}, this engine has ${mine}: another engine took over.`,
    "Stop this engine.",
  );

export const storeFormat = (found: number | string, known: number): FatalError =>
  new FatalError(
    "STORE_FORMAT",
    `The store has format ${found}; this version of Signalbox reads and writes format ${known}.`,
    "Start the version that made it, or choose another --data folder for this one; nothing in the store was changed.",
  );

export const journalRegressed = (detail: string): FatalError =>
  new FatalError(
    "JOURNAL_REGRESSED",
    `The journal is not the one the store has read: ${detail}.`,
    "Restore the journal, or start with a fresh --data folder; `npx signalbox up --adopt-journal` goes on with this one from its beginning.",
  );

export const journalFull = (reason: string): RetryableError =>
  new RetryableError(
    "JOURNAL_FULL",
    `The journal takes nothing more: ${reason}.`,
    "Send again after the given time. The engine lets go of what it has applied; where that is not enough, give the journal more room.",
    2_000,
  );

export const overloaded = (waiting: number): RetryableError =>
  new RetryableError(
    "OVERLOADED",
    `${waiting} inputs are waiting to be applied.`,
    "Send again after the given time.",
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
    `The blob ${hash} cannot be read, or is not what was put.`,
    "Restore it from a copy of the data folder; it is whole again when the same input comes once more.",
    { cause },
  );

export const blobNotKept = (hash: string, cause: unknown): RetryableError =>
  new RetryableError(
    "BLOB_NOT_KEPT",
    `The blob ${hash} could not be made durable.`,
    "See that the disk has room; send again.",
    1000,
    { cause },
  );

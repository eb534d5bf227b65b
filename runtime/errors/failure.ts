// Failure
// Turns an error into the response to a sender or asker, the same over every protocol.
//
//   Owns:          the status of each kind of failure (HTTP's numbers), the body of an error.
//   Does not own:  the error classes (errors), the headers of a protocol (adapters).
//
// ERRORS-FAILURE-1. Every error says what happened and what to do next, and names the faulty field if there is one.
// ERRORS-FAILURE-2. The text of an error that is not of one of Signalbox's classes is shown only in the log, not to the sender.

import { FatalError, InvariantViolation, RefusedError, RetryableError } from "./errors.ts";
import { AmbiguousError } from "./ambiguous.ts";
import { ID_REUSED, IdReusedError } from "./id-reused.ts";

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly next: string;
  readonly path?: string;
}

export interface Failure {
  readonly status: number;
  readonly error: ErrorBody;
  /** After how many seconds the caller should try again; absent if a repetition cannot succeed. */
  readonly retryAfterS?: number;
  readonly body: {
    readonly error: ErrorBody;
    /** Present if the id exists in several places. */
    readonly candidates?: AmbiguousError["candidates"];
    /** Present if the id was used before for another call: the facts in which the two calls differ. */
    readonly differs?: IdReusedError["differs"];
  };
}

const STATUS: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  NOT_AUTHORISED: 403,
  FORBIDDEN_HOST: 403,
  FORBIDDEN_ORIGIN: 403,
  NOT_NEAR: 403,
  NEEDS_TLS: 403,
  NOT_FOR_THIS: 403,
  NOT_ALLOWED: 403,
  NO_SUCH_ROUTE: 404,
  NO_SUCH_QUERY: 404,
  NOT_FOUND: 404,
  UNKNOWN_APPROVAL: 404,
  UNKNOWN_RULE: 404,
  AMBIGUOUS: 409,
  REJECTED: 409,
  [ID_REUSED]: 409,
  NOT_COUNTED: 409,
  INPUT_MISSING: 409,
  TOO_MANY_RULES: 409,
  SESSION_OPEN: 409,
  NO_SPARE: 409,
  NO_TERM: 409,
  BACKUPS_UNREADABLE: 409,
  TOO_LARGE: 413,
  ANSWER_TOO_LARGE: 413,
  NOT_JSON_TYPE: 415,
  OTHER_PARTITION: 421,
  KEY_REUSED: 422,
  OVERLOADED: 429,
  OVER_QUOTA: 429,
};

export function failureOf(cause: unknown): Failure {
  const { status, error, retryAfterMs } = told(cause);
  return {
    status,
    error,
    ...(retryAfterMs !== undefined && { retryAfterS: Math.ceil(retryAfterMs / 1000) }),
    body: {
      error,
      ...(cause instanceof AmbiguousError && { candidates: cause.candidates }),
      ...(cause instanceof IdReusedError && { differs: cause.differs }),
    },
  };
}

/** True if the fault is the engine's, not the sender's. */
export const isOurs = (cause: unknown): boolean =>
  !(cause instanceof RefusedError || cause instanceof RetryableError);

interface Told {
  readonly status: number;
  readonly error: ErrorBody;
  readonly retryAfterMs?: number;
}

function told(cause: unknown): Told {
  if (cause instanceof RefusedError) {
    const { code, message, next, path } = cause;
    const error = { code, message, next, ...(path !== undefined && { path }) };
    return { status: STATUS[code] ?? 400, error };
  }
  if (cause instanceof RetryableError) {
    const { code, message, next, retryAfterMs } = cause;
    return { status: STATUS[code] ?? 503, error: { code, message, next }, retryAfterMs };
  }
  if (cause instanceof FatalError || cause instanceof InvariantViolation) {
    const { code, message, next } = cause;
    return {
      status: cause instanceof FatalError ? 503 : 500,
      error: { code, message, next },
      retryAfterMs: 1000,
    };
  }
  const message = "The engine failed with an internal error.";
  return {
    status: 500,
    error: { code: "INTERNAL", message, next: "See the engine's log, and report the error." },
  };
}

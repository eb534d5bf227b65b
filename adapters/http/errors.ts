// Errors
// What went wrong, as an HTTP answer.
//
//   Owns:          which status each kind of failure has, the shape of an error's body.
//   Does not own:  the failures themselves (runtime).
//
// H1. Every error says what happened and what to do next, and which field is at fault where there is one.
// H2. What is not one of ours is told to nobody but the log.

import { AmbiguousError } from "../../runtime/lookup.ts";
import { FatalError, InvariantViolation, RefusedError, RetryableError } from "../../runtime/errors.ts";

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly next: string;
  readonly path?: string;
}

export interface Failure {
  readonly status: number;
  readonly error: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;
  /** Of an id that is in several places. */
  readonly candidates?: AmbiguousError["candidates"];
}

const STATUS: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  NOT_AUTHORISED: 403,
  FORBIDDEN_HOST: 403,
  FORBIDDEN_ORIGIN: 403,
  NO_SUCH_ROUTE: 404,
  NOT_FOUND: 404,
  UNKNOWN_APPROVAL: 404,
  AMBIGUOUS: 409,
  REJECTED: 409,
  NOT_COUNTED: 409,
  TOO_LARGE: 413,
  NOT_JSON_TYPE: 415,
  KEY_REUSED: 422,
  OVERLOADED: 429,
};

export function failureOf(cause: unknown): Failure {
  const { status, error, retryAfterMs } = told(cause);
  return {
    status,
    error,
    headers: {
      ...(retryAfterMs !== undefined && { "Retry-After": String(Math.ceil(retryAfterMs / 1000)) }),
      ...(status === 413 && { Connection: "close" }),
      ...(status === 401 && { "WWW-Authenticate": "Bearer" }),
    },
    ...(cause instanceof AmbiguousError && { candidates: cause.candidates }),
  };
}

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
  const message = "The engine met an error of its own.";
  return { status: 500, error: { code: "INTERNAL", message, next: "See the engine's log; report it." } };
}

export const notFound = (what: string): RefusedError =>
  new RefusedError("NOT_FOUND", `There is no ${what}.`, "See the lists for the ones there are.", "id");

export const noSuchRoute = (): RefusedError =>
  new RefusedError(
    "NO_SUCH_ROUTE",
    "There is no such route.",
    "See /v1/sessions, /v1/requests, /v1/tool-calls, /v1/approvals, /v1/events, /v1/stream.",
  );

// Failures
// Turns an error of the connection into an error whose class tells the caller what to do.
//
//   Owns:          telling the nats package's errors apart; the error codes of the client.
//   Does not own:  trying again (attempts).

import { ErrorCode, NatsError } from "nats";
import { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";

/** JetStream's own error codes. */
const MESSAGE_TOO_LARGE = 10_054;
const STREAM_FULL: ReadonlySet<number> = new Set([10_023, 10_047, 10_077]);
const STREAM_NOT_FOUND = 10_059;
const RETRY_MS = 1_000;

/** @param what the operation in words, as `request.created of s1`. @returns a RefusedError if retrying cannot help. */
export function failureOf(error: unknown, what: string): RefusedError | RetryableError {
  if (error instanceof RefusedError || error instanceof RetryableError) return error;
  const code = error instanceof NatsError ? error.code : "";
  if (code === (ErrorCode.PermissionsViolation as string)) return forbidden(what);
  if (code === (ErrorCode.MaxPayloadExceeded as string)) return tooLarge(what);
  const api = error instanceof NatsError ? (error.api_error?.err_code ?? 0) : 0;
  if (api === MESSAGE_TOO_LARGE) return tooLarge(what);
  if (STREAM_FULL.has(api)) return full(what);
  if (api === STREAM_NOT_FOUND) return nobody(what);
  // JetStream also uses the code of "no responders" for some of its own errors, but these have an error number as well.
  if (api === 0 && code === (ErrorCode.NoResponders as string)) return nobody(what);
  return noAnswer(what, error);
}

const forbidden = (what: string): RefusedError =>
  new RefusedError(
    "FORBIDDEN",
    `The NATS server does not allow this user: ${what}.`,
    "Have the user's permissions extended, or connect as another user.",
  );

export const tooLarge = (what: string): RefusedError =>
  new RefusedError("TOO_LARGE", `${what} is too large.`, "Send a shorter message: the limit is 256 KiB.");

const nobody = (what: string): RetryableError =>
  new RetryableError(
    "NOBODY_THERE",
    `Nobody accepts ${what}: no engine has been started on this NATS server, or it is starting.`,
    "Check that `npx signalbox up` runs with the same server and account, then send the message again.",
    RETRY_MS,
  );

const full = (what: string): RetryableError =>
  new RetryableError(
    "JOURNAL_FULL",
    `The journal had no room for ${what}.`,
    "Check that the engine runs, or give the stream SIGNALBOX_IN more room; then send the message again.",
    RETRY_MS,
  );

const noAnswer = (what: string, cause: unknown): RetryableError =>
  new RetryableError(
    "NOT_ACKNOWLEDGED",
    `${what} was not acknowledged; it may have been accepted.`,
    "Send the message again with the same id or key: it is then accepted only once.",
    RETRY_MS,
    { cause },
  );

/** @param cause why the connection ended; undefined if the user closed the client. */
export const closed = (cause?: Error): RefusedError =>
  new RefusedError(
    "CLOSED",
    cause ? `The server ended the connection for good: ${cause.message}.` : "The client is closed.",
    "Connect again.",
  );

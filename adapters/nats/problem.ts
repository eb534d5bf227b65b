// Problem
// What the NATS client throws, as what the caller must do.
//
//   Owns:          the class of each failure of the client or the server.
//   Does not own:  trying again.

import { ErrorCode, NatsError } from "nats";
import { FatalError, RefusedError, RetryableError } from "../../runtime/errors.ts";

const RETRY_MS = 1000;
const BAD_CREDENTIALS: readonly string[] = [
  ErrorCode.AuthorizationViolation,
  ErrorCode.AuthenticationExpired,
  ErrorCode.AuthenticationTimeout,
  ErrorCode.AccountExpired,
  ErrorCode.BadAuthentication,
  ErrorCode.BadCreds,
];

/** @returns an error of ours; one that is already is given back as it is. */
export function problem(error: unknown): Error {
  if (error instanceof RefusedError || error instanceof RetryableError || error instanceof FatalError)
    return error;
  const code = error instanceof NatsError ? error.code : undefined;
  const reason = error instanceof Error ? error.message : String(error);
  if (code === ErrorCode.PermissionsViolation) return forbidden(reason);
  if (code !== undefined && BAD_CREDENTIALS.includes(code)) {
    return new RefusedError(
      "NATS_NOT_AUTHORISED",
      `The NATS server does not let this user in: ${reason}.`,
      "Check the user, password or token in the server's address.",
    );
  }
  return new RetryableError(
    "NATS_UNAVAILABLE",
    `The NATS server does not answer: ${reason}.`,
    "Start it, or wait: it is asked again.",
    RETRY_MS,
    { cause: error },
  );
}

/** The server's permissions are in the way. */
const forbidden = (reason: string): RefusedError =>
  new RefusedError(
    "NATS_FORBIDDEN",
    `The NATS server forbids it: ${reason}.`,
    "Give the engine's user the permissions the documentation lists.",
  );

// Client errors
// Turns an error of the NATS client into an error whose class tells the caller what to do.
//
//   Owns:          the class of each failure of the client or the server; what each reply to a message means.
//   Does not own:  trying again.

import { ErrorCode, NatsError } from "nats";
import { FatalError, RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import { shownAddress } from "./address.ts";
import { unproved } from "./servers.ts";

const RETRY_MS = 1000;
const BAD_CREDENTIALS: readonly string[] = [
  ErrorCode.AuthorizationViolation,
  ErrorCode.AuthenticationExpired,
  ErrorCode.AuthenticationTimeout,
  ErrorCode.AccountExpired,
  ErrorCode.BadAuthentication,
  ErrorCode.BadCreds,
];

const UNKNOWN_USER: readonly string[] = [ErrorCode.AuthorizationViolation, ErrorCode.BadAuthentication];

/**
 * @param address the server's address, if connecting failed; it may contain secrets. @returns Signalbox's error for an error of
 * the NATS client; Signalbox's own errors unchanged.
 */
export function asPortError(error: unknown, address?: string): Error {
  if (error instanceof RefusedError || error instanceof RetryableError || error instanceof FatalError)
    return error;
  const code = error instanceof NatsError ? error.code : undefined;
  const reason = error instanceof Error ? error.message : String(error);
  if (code === ErrorCode.PermissionsViolation) return forbidden(reason);
  const shown = address === undefined ? undefined : shownAddress(address);
  const server = shown === undefined ? "The NATS server" : `The NATS server at ${shown}`;
  const refusal = unproved(error, server);
  if (refusal) return refusal;
  if (code !== undefined && BAD_CREDENTIALS.includes(code)) {
    return new RefusedError(
      "NATS_NOT_AUTHORISED",
      `${server} does not let this user in: ${reason}.`,
      wayIn(code, address),
    );
  }
  return new RetryableError(
    "NATS_UNAVAILABLE",
    `${server} does not answer: ${reason}.`,
    "Start the server, or wait: the engine tries again.",
    RETRY_MS,
    { cause: error },
  );
}

/** What to check after a failed sign-in. The text mentions a password only if one was given and may be wrong. */
function wayIn(code: string, address: string | undefined): string {
  if (!UNKNOWN_USER.includes(code)) return "Look at the server's settings and log for this user.";
  return address?.includes("@") === false
    ? "The NATS server wants a user, a token or a key: put a user or a token before the host in SIGNALBOX_NATS_URL, as in nats://token@host:4222, or the path of a key's seed file into SIGNALBOX_NATS_NKEY."
    : "Check the user, password or token in the server's address.";
}

/** JetStream's codes for too many messages or bytes, in the stream, the account or the server. */
const FULL: readonly number[] = [10023, 10047, 10077];
const TOO_LONG: readonly string[] = [ErrorCode.MaxPayloadExceeded];
const NOBODY: readonly string[] = [ErrorCode.NoResponders];
const MESSAGE_TOO_LARGE = 10054;
const WRONG_STREAM = 10060;
const BUSY = 503;

/** Why a stream refuses a message; undefined if sending the message again may succeed. */
export type Answered = "full" | "too-large" | "wrong-stream" | "forbidden" | "refused" | undefined;

export function answered(error: unknown): Answered {
  if (!(error instanceof NatsError)) return undefined;
  if (error.isPermissionError()) return "forbidden";
  const { code, api_error: answer } = error;
  if (TOO_LONG.includes(code) || answer?.err_code === MESSAGE_TOO_LARGE) return "too-large";
  if (answer === undefined) return undefined;
  if (FULL.includes(answer.err_code ?? 0)) return "full";
  if (answer.err_code === WRONG_STREAM) return "wrong-stream";
  return answer.code === BUSY ? undefined : "refused";
}

/** @throws the error that `asPortError` makes of the NATS client's error. */
export const orPortError = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw asPortError(error);
  });

const NOT_FOUND = 404;

/** @returns the answer; undefined if the server has no such stream or message. @throws as `orPortError` does. */
export async function orAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.code === NOT_FOUND) return undefined;
    throw asPortError(error);
  }
}

/** True if no stream stores messages of the subject: the stream does not exist, or does not exist yet. */
export const isNobodyThere = (error: unknown): boolean =>
  error instanceof NatsError && NOBODY.includes(error.code);

export const tooLarge = (error: unknown): RefusedError =>
  new RefusedError(
    "TOO_LARGE",
    `The NATS server does not accept a message of this length: ${error instanceof Error ? error.message : String(error)}.`,
    "Send a shorter message, or raise the server's max_payload.",
  );

const forbidden = (reason: string): RefusedError =>
  new RefusedError(
    "NATS_FORBIDDEN",
    `The NATS server does not permit this: ${reason}.`,
    "Give the engine's user the permissions that docs/reference/nats.md lists.",
  );

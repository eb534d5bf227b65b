// Faults
// The messages about failures of an identity provider, for the user who wants to sign in.
//
//   Owns:          the messages, which part of a message a log may contain.
//   Does not own:  noticing failures (provider).
//
// OIDC-FAULTS-1. The page for the user says what to do next, and contains nothing that the provider sent or that the address
//     contains. The log contains only one word about the failure: the protocol's error code, or else the library's.

import { SignInError, type SignInFault } from "../../runtime/errors/sign-in-error.ts";

/** Matches an error code of the protocol. Anybody can have written any other text, so no other text is logged. */
const WORD = /^[a-z_]{1,40}$/;
const AGAIN = "Sign in again.";

/** The error that a browser shows for a failed sign-in. @param host the provider's host. */
export function faultOf(error: unknown, host: string): SignInError {
  if (error instanceof SignInError) return error;
  const code = textAt(error, "code") ?? (error instanceof Error ? error.name : "unknown");
  const word = textAt(error, "error") ?? "";
  const said = WORD.test(word) ? word : undefined;
  const fault = (which: SignInFault, message: string, next: string): SignInError =>
    new SignInError(which, message, next, said ?? code);
  switch (code) {
    case "OAUTH_AUTHORIZATION_RESPONSE_ERROR":
      if (word === "access_denied")
        return fault("SIGN_IN_DENIED", `You, or a rule at ${host}, refused the sign-in.`, AGAIN);
      return fault(
        "SIGN_IN_REFUSED",
        `${host} did not sign you in.`,
        `${AGAIN} If that does not help, tell whoever runs this engine: its log says more.`,
      );
    case "OAUTH_JWT_TIMESTAMP_CHECK_FAILED":
      return fault(
        "SIGN_IN_CLOCKS",
        `The answer of ${host} is too old by the clock of this engine.`,
        `${AGAIN} If that does not help, the clock of the engine's machine is wrong: tell whoever runs it.`,
      );
    case "OAUTH_RESPONSE_BODY_ERROR":
      if (word !== "invalid_grant") break;
      return fault("SIGN_IN_STALE", `${host} says that this sign-in was used already, or is too old.`, AGAIN);
    case "OAUTH_TIMEOUT":
    case "OAUTH_ABORT":
    case "OAUTH_RESPONSE_IS_NOT_CONFORM":
    case "OAUTH_RESPONSE_IS_NOT_JSON":
    case "OAUTH_PARSE_ERROR":
    case "TimeoutError":
    case "AbortError":
    case "TypeError":
    case "Error":
      return fault("PROVIDER_AWAY", `${host} does not answer as it should.`, "Try again in a minute.");
    default:
      break;
  }
  return fault(
    "SIGN_IN_REFUSED",
    `The engine does not accept what ${host} said.`,
    "Tell whoever runs this engine: its log says more.",
  );
}

function textAt(error: unknown, key: "code" | "error"): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const value: unknown = Reflect.get(error, key);
  return typeof value === "string" ? value : undefined;
}

// Sign-in error
// The error for a sign-in by an identity provider that failed.
//
//   Owns:          the codes of the error, and what a log may show of the error.
//   Does not own:  the text of the error (each place that throws it).

import { RefusedError } from "./errors.ts";

export type SignInFault =
  "SIGN_IN_DENIED" | "SIGN_IN_STALE" | "SIGN_IN_CLOCKS" | "SIGN_IN_REFUSED" | "PROVIDER_AWAY";

export class SignInError extends RefusedError {
  /** Tells the log, in a word of the protocol, what went wrong; never contains anything that was sent. */
  readonly detail: string;

  constructor(code: SignInFault, message: string, next: string, detail: string) {
    super(code, message, next);
    this.detail = detail;
  }
}

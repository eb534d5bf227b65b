// Sign-in error
// A sign-in by an identity provider that came to nothing.
//
//   Owns:          its codes, what of it a log may hold.
//   Does not own:  the words (whoever throws it).

import { RefusedError } from "./errors.ts";

export type SignInFault =
  "SIGN_IN_DENIED" | "SIGN_IN_STALE" | "SIGN_IN_CLOCKS" | "SIGN_IN_REFUSED" | "PROVIDER_AWAY";

/** A sign-in that came to nothing. */
export class SignInError extends RefusedError {
  /** For the log: a word of the protocol, never what was sent. */
  readonly detail: string;

  constructor(code: SignInFault, message: string, next: string, detail: string) {
    super(code, message, next);
    this.detail = detail;
  }
}

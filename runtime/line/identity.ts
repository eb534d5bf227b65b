// Identity
// Who somebody is by the word of an organisation's identity provider, and who of them is let in.
//
//   Owns:          the shape of a sign-in, of what a provider says, and of a failure in words.
//   Does not own:  the protocol (adapters/oidc), the browser's part (adapters/http).
//   Decided in:    docs/decisions/0090-sign-in-by-an-identity-provider.md.

import type { Access } from "../access-token.ts";
import { RefusedError } from "../errors/errors.ts";

/** What a provider says of somebody, checked. */
export interface Identity {
  /** The provider's name for itself, and its name for them: both together stay the same for one person. */
  readonly issuer: string;
  readonly subject: string;
  /** In lower case; undefined where the provider has not verified it. */
  readonly email?: string;
  /** What they call themselves. */
  readonly called?: string;
  readonly groups: readonly string[];
  /** When the provider ends what it let in, ms; undefined where it does not say. */
  readonly endsAt?: number;
}

/** What one sign-in is checked against when the browser comes back. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where the provider sends the browser back to. */
  readonly redirect: string;
}

/** Somebody who is let in. */
export interface Person {
  /** As a holder's name has it after `http:`. */
  readonly name: string;
  readonly access: Access;
}

/** An identity provider, and whom of those it knows an engine lets in. */
export interface SignIn {
  /** The provider's host, to be shown. */
  readonly host: string;
  /** @returns where the browser goes. @throws SignInError */
  begin(redirect: string): Promise<{ readonly address: string; readonly attempt: Attempt }>;
  /** @param answer what the provider gave the browser along: the query of the address. @throws SignInError */
  finish(answer: URLSearchParams, attempt: Attempt): Promise<Identity>;
  /** By the list as it is now. */
  personOf(identity: Identity): Person | undefined;
  /** Whom somebody asks who is not on the list. */
  readonly ask: string | undefined;
}

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

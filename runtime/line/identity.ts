// Identity
// The identity of a person, as an organisation's identity provider reports it.
//
//   Owns:          the shape of a sign-in, and of a provider's report.
//   Does not own:  the protocol (adapters/oidc), the browser's part and who may sign in (adapters/http), failures (errors).
//   Decided in:    docs/decisions/0090-sign-in-by-an-identity-provider.md.

/** A provider's report on a person, checked. */
export interface Identity {
  /** The provider's name for itself, and its name for the person; the pair never changes for one person. */
  readonly issuer: string;
  readonly subject: string;
  /** The person's address, in lower case; undefined if the provider has not verified it. */
  readonly email?: string;
  /** The person's own name. */
  readonly called?: string;
  readonly groups: readonly string[];
  /** When the provider ends the sign-in, ms; undefined if it does not report that. */
  readonly endsAt?: number;
}

/** The values of one sign-in, to be checked when the browser comes back. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The address to which the provider sends the browser back. */
  readonly redirect: string;
}

export interface IdentityProvider {
  /** The provider's host, for display. */
  readonly host: string;
  /** @returns the address for the browser. @throws SignInError */
  begin(redirect: string): Promise<{ readonly address: string; readonly attempt: Attempt }>;
  /** @param answer the query of the address that the browser comes back to. @throws SignInError */
  finish(answer: URLSearchParams, attempt: Attempt): Promise<Identity>;
}

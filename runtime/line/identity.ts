// Identity
// The types of a person's identity, as an organisation's identity provider reports it.
//
//   Owns:          the shape of a sign-in, and of a provider's report.
//   Does not own:  the protocol (adapters/oidc), the browser's part and who may sign in (adapters/http), failures (errors).
//   Decided in:    docs/decisions/0090-sign-in-by-an-identity-provider.md.

/** What an identity provider reports about a person, after the report was checked. */
export interface Identity {
  /** The provider's name for itself. A person's issuer and subject together never change. */
  readonly issuer: string;
  /** The provider's name for the person. */
  readonly subject: string;
  /** The person's address, in lower case; undefined if the provider has not verified it. */
  readonly email?: string;
  /** The person's own name. */
  readonly called?: string;
  readonly groups: readonly string[];
  /** When the provider ends the sign-in, ms; undefined if it does not report that. */
  readonly endsAt?: number;
}

/** The values of one sign-in. They are checked when the browser comes back from the provider. */
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
  /** Begins a sign-in. @returns the address to which the browser must go. @throws SignInError */
  begin(redirect: string): Promise<{ readonly address: string; readonly attempt: Attempt }>;
  /** Ends a sign-in. @param answer the query of the address at which the browser comes back. @throws SignInError */
  finish(answer: URLSearchParams, attempt: Attempt): Promise<Identity>;
}

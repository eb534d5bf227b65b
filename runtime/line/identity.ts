// Identity
// Who somebody is by the word of an organisation's identity provider.
//
//   Owns:          the shape of a sign-in, and of what a provider says.
//   Does not own:  the protocol (adapters/oidc), the browser's part and who is let in (adapters/http), failures (errors).
//   Decided in:    docs/decisions/0090-sign-in-by-an-identity-provider.md.

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

/** An identity provider, as an engine asks it. */
export interface IdentityProvider {
  /** The provider's host, to be shown. */
  readonly host: string;
  /** @returns where the browser goes. @throws SignInError */
  begin(redirect: string): Promise<{ readonly address: string; readonly attempt: Attempt }>;
  /** @param answer what the provider gave the browser along: the query of the address. @throws SignInError */
  finish(answer: URLSearchParams, attempt: Attempt): Promise<Identity>;
}

// Sign-in
// An identity provider, and whom of those it knows the engine lets in: what signing in by one needs from outside.
//
//   Owns:          the port.
//   Does not own:  what serves it (composition), the routes (provider-routes).

import type { Access } from "../../../runtime/access-token.ts";
import type { Identity, IdentityProvider } from "../../../runtime/line/identity.ts";

/** Somebody who is let in. */
export interface Admitted {
  /** The name that follows `http:` in a holder's name. */
  readonly name: string;
  readonly access: Access;
}

export interface SignIn extends IdentityProvider {
  /** Reads the current list of people. */
  personOf(identity: Identity): Admitted | undefined;
  /** Whom people should ask who are not on the list. */
  readonly ask: string | undefined;
}

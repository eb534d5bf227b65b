// Sign-in
// What signing in by an identity provider needs from outside: the provider, and the list of users whom the engine lets in.
//
//   Owns:          the interface.
//   Does not own:  implementing it (composition), the routes (provider-routes).

import type { Access } from "../../../runtime/access-token.ts";
import type { Identity, IdentityProvider } from "../../../runtime/line/identity.ts";

/** A user who may come in. */
export interface Admitted {
  /** The name that follows `http:` in a holder's name. */
  readonly name: string;
  readonly access: Access;
}

export interface SignIn extends IdentityProvider {
  /** Reads the current list of users. */
  personOf(identity: Identity): Admitted | undefined;
  /** Whom a user who is not on the list should ask. */
  readonly ask: string | undefined;
}

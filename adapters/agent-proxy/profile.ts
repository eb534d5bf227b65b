// Profile
// The common part of the client profiles of agents behind the proxy.
//
//   Owns:          their names in the journal, the cascade of their sessions.
//   Does not own:  the shells of agents (each protocol), the meaning of a note (notes), the use of a profile (runtime/clients).

import type { ClientProfile } from "../../runtime/client-profile.ts";
import { noteWords } from "./notes.ts";

/** @param name the name of the protocol. @param shells how the input of each shell tool is read. */
export function proxied<S extends NonNullable<ClientProfile["shells"]>>(name: string, shells: S) {
  const { inputsOf, placeOf } = noteWords(name);
  const type = `${name}.hook`;
  return {
    name,
    // If one call is rejected, the protocols say nothing about the others.
    cascade: "none",
    translators: { [type]: inputsOf },
    shells,
    hook: { type, eventField: name, sessionField: "session", read: placeOf },
  } satisfies ClientProfile;
}

// Profile
// The common part of the client profiles of all agents that run behind the proxy.
//
//   Owns:          the type of the agents' messages in the journal, how a denial cascades in the agents' sessions.
//   Does not own:  the shells of agents (each protocol), the meaning of a note (notes), the use of a profile (runtime/clients).

import type { ClientProfile } from "../../runtime/client-profile.ts";
import { noteWords } from "./notes.ts";

/** @param name the protocol's name. @param shells how the input of each shell tool is read. */
export function proxied<S extends NonNullable<ClientProfile["shells"]>>(name: string, shells: S) {
  const { inputsOf, placeOf } = noteWords(name);
  const type = `${name}.hook`;
  return {
    name,
    // The protocols do not say what happens to other calls if one call is rejected, so no other call is denied.
    cascade: "none",
    translators: { [type]: inputsOf },
    shells,
    hook: { type, eventField: name, sessionField: "session", read: placeOf },
  } satisfies ClientProfile;
}

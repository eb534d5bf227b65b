// Profile
// What the runtime has to know of any agent behind the proxy.
//
//   Owns:          its names in the journal, the cascade of its sessions.
//   Does not own:  its shells (each protocol), the notes' meaning (notes), what is done with a profile (runtime/clients).

import type { ClientProfile } from "../../runtime/client-profile.ts";
import { noteWords } from "./notes.ts";

/** @param name of the protocol. @param shells how the input of each is read. */
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

// Profile
// What the runtime has to know of agents that speak the Agent Client Protocol, behind the proxy.
//
//   Owns:          their names in the journal, the cascade of their sessions.
//   Does not own:  the protocol (the other files here), what the runtime does with a profile (runtime/clients).

import type { ClientProfile } from "../../../runtime/client-profile.ts";
import { noteWords } from "../notes.ts";

const { inputsOf, placeOf } = noteWords("acp");

export const acp = {
  name: "acp",
  // The protocol says nothing of other calls where one is rejected.
  cascade: "none",
  translators: { "acp.hook": inputsOf },
  hook: { type: "acp.hook", eventField: "acp", sessionField: "session", read: placeOf },
} satisfies ClientProfile;

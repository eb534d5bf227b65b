// Profile
// What the runtime has to know of agents that speak the Agent Client Protocol, behind the proxy.
//
//   Owns:          their names in the journal, the cascade of their sessions, how the input of their shells is read.
//   Does not own:  the protocol (the other files here), what the runtime does with a profile (runtime/clients).

import type { ClientProfile } from "../../../runtime/client-profile.ts";
import { noteWords } from "../notes.ts";

const { inputsOf, placeOf } = noteWords("acp");

export const acp = {
  name: "acp",
  // The protocol says nothing of other calls where one is rejected.
  cascade: "none",
  translators: { "acp.hook": inputsOf },
  shells: {
    execute: {
      command: "command",
      // Copilot lists the command once more where it asks.
      echo: "commands",
      folders: ["cwd", "workdir"],
      choices: { mode: ["sync", "async"] },
      others: ["description", "timeout", "initial_wait", "run_in_background"],
    },
    "terminal/create": {
      command: "command",
      args: "args",
      folders: ["cwd"],
      unset: ["env"],
      others: ["outputByteLimit"],
    },
  },
  hook: { type: "acp.hook", eventField: "acp", sessionField: "session", read: placeOf },
} satisfies ClientProfile;

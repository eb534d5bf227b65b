// Profile
// What the runtime has to know of Codex's app-server, behind the proxy.
//
//   Owns:          its names in the journal, the cascade of its sessions, how the input of its shell is read.
//   Does not own:  the protocol (the other files here), what the runtime does with a profile (runtime/clients).

import type { ClientProfile } from "../../../runtime/client-profile.ts";
import { noteWords } from "../notes.ts";
import { COMMAND } from "./items.ts";

const { inputsOf, placeOf } = noteWords("codex");

export const codex = {
  name: "codex",
  // A declined item says nothing of the others.
  cascade: "none",
  translators: { "codex.hook": inputsOf },
  shells: {
    [COMMAND]: {
      command: "command",
      folders: ["cwd"],
      unset: ["networkApprovalContext", "additionalPermissions"],
      // What is written to a command that runs, and what runs elsewhere, is another thing.
      choices: { kind: ["command"], environmentId: ["local"] },
      others: ["reason"],
      // A text that it tells is what it runs, with its own shell before it.
      isWrapped: true,
    },
  },
  hook: { type: "codex.hook", eventField: "codex", sessionField: "session", read: placeOf },
} satisfies ClientProfile;

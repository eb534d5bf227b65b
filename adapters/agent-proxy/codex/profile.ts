// Profile
// What the runtime has to know of Codex's app-server, behind the proxy.
//
//   Owns:          how the input of its shell is read.
//   Does not own:  the protocol (the other files here).

import { proxied } from "../profile.ts";
import { COMMAND } from "./items.ts";

export const codex = proxied("codex", {
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
});

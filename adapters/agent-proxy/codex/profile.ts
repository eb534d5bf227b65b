// Profile
// The client profile of Codex's app-server when it runs behind the proxy.
//
//   Owns:          how the input of Codex's shell tool is read.
//   Does not own:  the protocol (the other files of this folder).

import { proxied } from "../profile.ts";
import { COMMAND } from "./items.ts";

export const codex = proxied("codex", {
  [COMMAND]: {
    command: "command",
    folders: ["cwd"],
    unset: ["networkApprovalContext", "additionalPermissions"],
    // A value of `kind` or `environmentId` that is not listed here means input for a running command, or a command on another
    // machine.
    choices: { kind: ["command"], environmentId: ["local"] },
    others: ["reason"],
    // In `command`, Codex puts its own shell before the command that the agent wrote.
    isWrapped: true,
  },
});

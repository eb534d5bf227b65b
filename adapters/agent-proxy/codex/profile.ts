// Profile
// The client profile of Codex's app-server, behind the proxy.
//
//   Owns:          how the input of Codex's shell tool is read.
//   Does not own:  the protocol (the other files here).

import { proxied } from "../profile.ts";
import { COMMAND } from "./items.ts";

export const codex = proxied("codex", {
  [COMMAND]: {
    command: "command",
    folders: ["cwd"],
    unset: ["networkApprovalContext", "additionalPermissions"],
    // Other values mean input for a running command, or a command that runs on another machine.
    choices: { kind: ["command"], environmentId: ["local"] },
    others: ["reason"],
    // The text is the command, with Codex's own shell before it.
    isWrapped: true,
  },
});

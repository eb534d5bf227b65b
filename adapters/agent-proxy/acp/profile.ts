// Profile
// The client profile of agents that use the Agent Client Protocol, behind the proxy.
//
//   Owns:          how the input of their shells is read.
//   Does not own:  the protocol (the other files here).

import { proxied } from "../profile.ts";

export const acp = proxied("acp", {
  execute: {
    command: "command",
    // In a request for approval, Copilot repeats the command in this field.
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
});

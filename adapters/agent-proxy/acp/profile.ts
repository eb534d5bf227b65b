// Profile
// The client profile of agents that run behind the proxy and use the Agent Client Protocol.
//
//   Owns:          how the input of the agents' shell tools is read.
//   Does not own:  the protocol (the other files of this folder).

import { proxied } from "../profile.ts";

export const acp = proxied("acp", {
  execute: {
    command: "command",
    // In a request for approval, Copilot repeats the command in the field `commands`.
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

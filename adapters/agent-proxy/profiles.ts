// Profiles
// The client profiles of all agents that run behind the proxy.
//
//   Owns:          the type of the agents' messages in the journal, how the input of their shell tools is read, which further
//                  calls a denial ends in their sessions (the cascade).
//   Does not own:  the protocols (acp, codex), the meaning of a note (notes), the use of a profile (runtime/clients).

import type { ClientProfile } from "../../runtime/client-profile.ts";
import { COMMAND } from "./codex/items.ts";
import { noteWords } from "./notes.ts";

/** Agents that use the Agent Client Protocol. */
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

/** Codex's app-server. */
export const codex = proxied("codex", {
  [COMMAND]: {
    command: "command",
    folders: ["cwd"],
    unset: ["networkApprovalContext", "additionalPermissions"],
    // With another `kind`, `command` is input for a command that already runs; with another `environmentId`, the command runs on
    // another machine. Rules then read no command from the input.
    choices: { kind: ["command"], environmentId: ["local"] },
    others: ["reason"],
    // In `command`, Codex puts its own shell before the command that the agent wrote.
    isWrapped: true,
  },
});

/** @param name the protocol's name. @param shells how the input of each shell tool is read. */
function proxied<S extends NonNullable<ClientProfile["shells"]>>(name: string, shells: S) {
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

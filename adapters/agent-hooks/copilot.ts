// Copilot
// The client profile of Copilot CLI when its hooks are installed.
//
//   Owns:          its names in the journal, its events, where its hooks are, which calls the hooks cannot hold.
//   Does not own:  reading a payload (reading), requesting the approval (gate), the text of settings (adapters/install).
//
// Its events have two names each. Under the name in PascalCase, a payload has the form and the tool names that other agents
// share. The one exception is `permissionRequest`, which tells nothing that PreToolUse does not.
//
// AGENT-HOOKS-COPILOT-1. One sentence says what Copilot runs without an answer, and that its payloads name no call.

import { join, resolve } from "node:path";
import type { ClientProfile } from "../../runtime/client-profile.ts";
import { optionalChild } from "../../runtime/foreign-fields.ts";
import { gateFormOf } from "./gate.ts";
import { type Dialect, readingOf } from "./reading.ts";

const DIALECT: Dialect = {
  client: "Copilot CLI",
  tools: {},
  output: (event) => optionalChild(event, "tool_result")?.values["text_result_for_llm"],
};

const OPEN =
  "Copilot runs a call without asking if the hook takes too long, or if disableAllHooks is set. Its hooks name no call: of two equal calls, nobody can tell which one ended.";

export const copilotCli = {
  ...readingOf("copilot-cli", DIALECT),
  cascade: "none",
  gate: gateFormOf(true),
  install: {
    called: "Copilot CLI",
    agent: "copilot",
    gates: ["all", "none"],
    closed: ["ask", "deny"],
    scopes: ["user", "project"],
    events: {
      SessionStart: {},
      SessionEnd: {},
      UserPromptSubmit: {},
      PreToolUse: { waits: "all" },
      PostToolUse: {},
      PostToolUseFailure: {},
      Stop: {},
    },
    limits: () => [OPEN],
    blank: '{ "version": 1 }\n',
    isParent: true,
    settingsPath: (scope, cwd, env, home) =>
      scope === "user"
        ? join(env["COPILOT_HOME"] || join(home, ".copilot"), "hooks", "signalbox.json")
        : resolve(cwd, ".github", "hooks", "signalbox.json"),
    entry: (_, command, timeoutS) => ({ type: "command", command, timeout: timeoutS }),
  },
} satisfies ClientProfile;

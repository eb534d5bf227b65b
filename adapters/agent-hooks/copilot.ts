// Copilot
// The client profile of Copilot CLI when its hooks are installed.
//
//   Owns:          Copilot's name in the journal, which events get hooks, where the hooks are, which calls they cannot hold.
//   Does not own:  reading a payload (reading), requesting the approval (gate), the text of settings (adapters/install).
//
// Copilot knows most events by two names, such as `preToolUse` and `PreToolUse`. The hooks use the names in PascalCase,
// because Copilot then sends payloads in the form, and with the tool names, that other agents share. The event
// `permissionRequest` has no name in PascalCase; it gets no hook, because PreToolUse already reports all that it reports.
//
// AGENT-HOOKS-COPILOT-1. Every command that reports on Copilot's hooks says in one sentence which calls Copilot makes without
//     waiting for an answer, and that Copilot's payloads contain no call id.

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
  "Copilot runs a call without asking if the hook takes too long, or if disableAllHooks is set. Its hooks send no call ids: of two equal calls, Signalbox cannot tell which one ended.";

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

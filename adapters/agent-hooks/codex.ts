// Codex
// The client profile of Codex when its hooks are installed.
//
//   Owns:          Codex's name in the journal, which events get hooks, where the hooks are, which calls they cannot hold.
//   Does not own:  reading a payload (reading), requesting the approval (gate), the text of settings (adapters/install).
//
// AGENT-HOOKS-CODEX-1. Every command that reports on Codex's hooks says in one sentence which calls Codex makes without waiting
//     for an answer.

import { join, resolve } from "node:path";
import type { ClientProfile } from "../../runtime/client-profile.ts";
import { gateFormOf } from "./gate.ts";
import { type Dialect, readingOf } from "./reading.ts";

const DIALECT: Dialect = {
  client: "Codex",
  prompt: "turn_id",
  tools: {},
  output: ({ values }) => values["tool_response"],
};

const OPEN =
  "Codex runs none of these hooks until you trust them: type /hooks in Codex, now and after each install. Codex runs a call without asking if the hook's own shell is killed or hangs, or if hooks are off.";

export const codexCli = {
  ...readingOf("codex-cli", DIALECT),
  cascade: "none",
  // Codex's gate never answers "ask": Codex does not know that answer, and would go on with the call.
  gate: gateFormOf(false),
  install: {
    called: "Codex",
    agent: "codex",
    gates: ["all", "none"],
    closed: ["deny"],
    scopes: ["user", "project"],
    events: {
      SessionStart: {},
      SessionEnd: {},
      UserPromptSubmit: {},
      PreToolUse: { waits: "all" },
      PostToolUse: {},
      Stop: {},
    },
    limits: () => [OPEN],
    isParent: true,
    needsReason: true,
    settingsPath: (scope, cwd, env, home) =>
      scope === "user"
        ? join(env["CODEX_HOME"] || join(home, ".codex"), "hooks.json")
        : resolve(cwd, ".codex", "hooks.json"),
    entry: (_, command, timeoutS) => ({ type: "command", command, timeout: timeoutS }),
  },
} satisfies ClientProfile;

// OpenCode
// The client profile of OpenCode when Signalbox's plugin is installed.
//
//   Owns:          OpenCode's name in the journal, where the plugin file is, which calls the plugin cannot hold back.
//   Does not own:  the plugin's text (opencode-plugin), reading a payload (reading), requesting the approval (gate).
//
// AGENT-HOOKS-OPENCODE-1. Every command that reports on OpenCode's plugin says in one sentence which calls OpenCode makes without
//     waiting for an answer.

import { join, resolve } from "node:path";
import type { ClientProfile } from "../../runtime/client-profile.ts";
import { gateFormOf } from "./gate.ts";
import { pluginText } from "./opencode-plugin.ts";
import { type Dialect, readingOf } from "./reading.ts";

const DIALECT: Dialect = {
  client: "OpenCode",
  prompt: "prompt_id",
  // OpenCode's `bash` takes a command, as Claude Code's `Bash` does, so the same rules and risks apply to it.
  tools: { bash: "Bash" },
  output: ({ values }) => values["tool_response"],
};

const OPEN =
  "OpenCode runs a call without asking if it is started without plugins (--pure), or if the plugin's file is missing or does not load.";

export const openCode = {
  ...readingOf("opencode-cli", DIALECT),
  cascade: "none",
  // The gate never answers "ask", because a plugin cannot make OpenCode ask its user.
  gate: gateFormOf(false),
  plugin: {
    called: "OpenCode",
    agent: "opencode",
    gates: ["all", "none"],
    closed: ["deny"],
    scopes: ["user", "project"],
    events: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"],
    limits: () => [OPEN],
    pluginPath: (scope, cwd, env, home) =>
      scope === "user"
        ? join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "opencode", "plugins", "signalbox.js")
        : resolve(cwd, ".opencode", "plugins", "signalbox.js"),
    text: pluginText,
  },
} satisfies ClientProfile;

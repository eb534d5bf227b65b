// Install
// How Signalbox's hooks are installed in Claude Code.
//
//   Owns:          the list of events, what each version of the client supports, where the client's settings are.
//   Does not own:  what each event means (hook), the text of settings and the programs (adapters/install).
//
// CLAUDE-CODE-INSTALL-1. When a gate is installed, the output lists the calls that it cannot hold in this version of the client.
// CLAUDE-CODE-INSTALL-2. The output of `install` also lists what cannot be known with this version: an older client does not
//     say which failed calls were refused, and a result's text proves no refusal, because a tool may print any text.

import { join, resolve } from "node:path";
import {
  type Collector,
  type GateChoice,
  type InstallForm,
  isSince,
  type SentTelemetry,
} from "../../runtime/install-form.ts";
import { CALLED } from "./translated.ts";

/** The client's first version with a hook for the calls that it asks its user about. */
const OLDEST = "2.0.45";
/** The client's first version that runs a `PermissionRequest` hook in headless mode. */
const HEADLESS_ASKS = "2.1.268";
/** The client's first version in which a call can be denied because its hook failed. */
const FAILURE_CLOSES = "2.1.295";
/** The client's first version whose transcripts mark a refusal by a field (`toolDenialKind`). */
const WRITES_REFUSALS = "2.1.186";
/** The client's first version whose sentences for a refusal Signalbox does not know (decision 62). */
const SENTENCES_UNKNOWN = "2.1.113";

/** The hook events that are installed, each with the client's first version that has the event. */
const EVENTS: InstallForm["events"] = {
  SessionStart: {},
  SessionEnd: {},
  UserPromptSubmit: {},
  PreToolUse: { waits: "all" },
  PermissionRequest: { waits: "permission", since: OLDEST },
  PermissionDenied: { since: "2.1.88" },
  PostToolUse: {},
  PostToolUseFailure: { since: "2.0.56" },
  PostToolBatch: { since: "2.1.118" },
  Stop: {},
  StopFailure: { since: "2.1.78" },
  SubagentStart: {},
  SubagentStop: {},
  Elicitation: { since: "2.1.63" },
  ElicitationResult: { since: "2.1.63" },
};

/** Sentences that say what the gate cannot hold with this version of the client (CLAUDE-CODE-INSTALL-1). */
function limits(version: string | undefined, choice: GateChoice): readonly string[] {
  if (version === undefined) return [];
  const is = `${CALLED} ${version}`;
  const found: string[] = [];
  if (choice === "permission" && !isSince(version, HEADLESS_ASKS))
    found.push(
      `${is} calls no hook when it runs headless (-p), and denies each call that it would ask about. Version ${HEADLESS_ASKS} and later call the hook; with --gate all, every version does.`,
    );
  if (choice === "all" && !isSince(version, FAILURE_CLOSES))
    found.push(
      `If the gate and its shells are killed, ${is} follows its own rules. Version ${FAILURE_CLOSES} and later then run no call.`,
    );
  if (!isSince(version, WRITES_REFUSALS)) {
    const which = isSince(version, SENTENCES_UNKNOWN)
      ? "they"
      : "denied calls of MCP tools and web tools, and calls that start subagents,";
    found.push(
      `${is} does not record which calls its own rules deny: ${which} are shown as failed. From version ${WRITES_REFUSALS} on they are shown as denied.`,
    );
  }
  return found;
}

const settingsPath: InstallForm["settingsPath"] = (scope, cwd, env, home) => {
  if (scope === "project") return resolve(cwd, ".claude", "settings.json");
  if (scope === "local") return resolve(cwd, ".claude", "settings.local.json");
  return join(env["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), "settings.json");
};

const HEADERS = "OTEL_EXPORTER_OTLP_LOGS_HEADERS";
const ENDPOINT = "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT";
/** How often the client sends its telemetry, ms: often enough for a user who watches the panel. */
const EXPORT_MS = 250;

const telemetry = ({ url, token }: Collector): SentTelemetry => ({
  variables: {
    CLAUDE_CODE_ENABLE_TELEMETRY: "1",
    OTEL_LOGS_EXPORTER: "otlp",
    OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: "http/json",
    [ENDPOINT]: url,
    [HEADERS]: `Authorization=Bearer%20${token}`,
    OTEL_LOGS_EXPORT_INTERVAL: String(EXPORT_MS),
  },
  endpoint: ENDPOINT,
  headers: HEADERS,
});

export const installForm: InstallForm = {
  called: CALLED,
  agent: "claude-code",
  gates: ["permission", "all", "none"],
  closed: ["ask", "deny"],
  scopes: ["user", "project", "local"],
  oldest: OLDEST,
  events: EVENTS,
  limits,
  settingsPath,
  entry: (kind, command, timeoutS) => ({
    type: "command",
    command,
    timeout: timeoutS,
    ...(kind === "gate" && { onFailure: "block" }),
  }),
  telemetry,
};

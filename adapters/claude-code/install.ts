// Install
// How Signalbox's hooks are put into Claude Code.
//
//   Owns:          the one list of events, since when each version knows what, where its settings are.
//   Does not own:  what each event means (hook), the text of settings and the programs (adapters/install).
//
// CLAUDE-CODE-INSTALL-1. What a gate does not hold with a version is said as the gate is put in.
// CLAUDE-CODE-INSTALL-2. So is what cannot be known with it: an older client writes no word for why a call has no
//     result, and a tool may put out any text, so that text proves nothing.

import { join, resolve } from "node:path";
import {
  type Collector,
  type GateChoice,
  type InstallForm,
  isSince,
  type SentTelemetry,
} from "../../runtime/install-form.ts";
import { CALLED } from "./translated.ts";

/** The first with a hook for what the client asks about. */
const OLDEST = "2.0.45";
/** The first that asks a `PermissionRequest` hook where it runs headless. */
const HEADLESS_ASKS = "2.1.268";
/** The first that lets a hook say what a failure of its own comes to. */
const FAILURE_CLOSES = "2.1.295";
/** The first whose transcripts have a word of its own for a refusal (`toolDenialKind`). */
const WRITES_REFUSALS = "2.1.186";
/** The first whose sentences for a refusal are not known: decision 62. */
const SENTENCES_UNKNOWN = "2.1.113";

/** The events that are put in. Each version is the first whose own list has the event. */
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

/** CLAUDE-CODE-INSTALL-1 */
function limits(version: string | undefined, choice: GateChoice): readonly string[] {
  if (version === undefined) return [];
  const is = `${CALLED} ${version}`;
  const found: string[] = [];
  if (choice === "permission" && !isSince(version, HEADLESS_ASKS))
    found.push(
      `${is} asks no hook when it runs headless (-p): it denies what it would ask about. Version ${HEADLESS_ASKS} and later ask; with --gate all every version does.`,
    );
  if (choice === "all" && !isSince(version, FAILURE_CLOSES))
    found.push(
      `${is} follows its own rules if the gate and its shells are killed. From version ${FAILURE_CLOSES} on, no call runs then.`,
    );
  if (!isSince(version, WRITES_REFUSALS)) {
    const which = isSince(version, SENTENCES_UNKNOWN) ? "they" : "those of servers, pages and subagents";
    found.push(
      `${is} does not write down which calls its own rules deny: ${which} are shown as failed. From version ${WRITES_REFUSALS} on they are shown as denied.`,
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
/** Soon enough for a person who looks; each is one small request. */
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

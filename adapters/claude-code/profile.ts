// Profile
// The client profile of Claude Code.
//
//   Owns:          its names in the journal, the cascade of its sessions, which function reads which of its formats.
//   Does not own:  the formats (the other files here), the use of a profile (runtime/clients).

import { givenInput } from "../../runtime/canonical.ts";
import type { ClientProfile } from "../../runtime/client-profile.ts";
import { gateForm } from "./gate/payload.ts";
import { translateHook } from "./hook.ts";
import { installForm } from "./install.ts";
import { readLogs } from "./otlp.ts";
import { claudeCodeTypes } from "./raw-types.ts";
import { transcripts } from "./transcript-files.ts";

export const claudeCode = {
  name: "claude-code",
  // Claude Code stops a whole batch once a user denies one of its calls.
  cascade: "interrupt",
  translators: claudeCodeTypes(givenInput),
  hook: {
    type: "claude-code.hook",
    eventField: "hook_event_name",
    sessionField: "session_id",
    read: (payload) => translateHook(payload, givenInput),
  },
  transcripts,
  gate: gateForm,
  install: installForm,
  pidVariable: "CLAUDE_PID",
  telemetry: { type: "claude-code.telemetry", source: "claude-code-telemetry", read: readLogs },
} satisfies ClientProfile;

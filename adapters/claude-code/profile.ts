// Profile
// The client profile of Claude Code.
//
//   Owns:          Claude Code's names in the journal, which further calls a denial ends in its sessions (the cascade), which
//                  function reads which format, the form of its data.
//   Does not own:  the formats (the other files of this folder), the use of a profile (runtime/clients).

import type { ClientProfile } from "../../runtime/client-profile.ts";
import { gateForm } from "./gate/printed.ts";
import { translateHook } from "./hook.ts";
import { installForm } from "./install.ts";
import { readLogs } from "./otlp.ts";
import { transcripts } from "./transcript-files.ts";
import type { SourceInput } from "../../machines/inputs.ts";
import { fieldsOf, optionalChild, optionalName } from "../../runtime/foreign-fields.ts";
import { translateGate } from "./gate.ts";
import { translateHookAnswer } from "./hook-answer.ts";
import { translateStreamLine } from "./stream.ts";
import { translateTelemetry } from "./telemetry.ts";
import { translateTranscriptLine } from "./transcript.ts";

export const claudeCode = {
  name: "claude-code",
  // In Claude Code, a denial that interrupts the agent ends all open calls of the request; any other denial ends no other call.
  cascade: "interrupt",
  translators: {
    "claude-code.hook": hook,
    "claude-code.stream": (line) => translateStreamLine(line).inputs,
    "claude-code.transcript": (line) => translateTranscriptLine(line).inputs,
    "claude-code.telemetry": translateTelemetry,
  },
  hook: {
    type: "claude-code.hook",
    eventField: "hook_event_name",
    sessionField: "session_id",
    read: translateHook,
  },
  transcripts,
  gate: gateForm,
  install: installForm,
  pidVariable: "CLAUDE_PID",
  telemetry: { type: "claude-code.telemetry", source: "claude-code-telemetry", read: readLogs },
} satisfies ClientProfile;

/** Reads the door's `{hook: payload, answer?: what the hook printed, gate?: how the hook waits, gated?: what a gate holds}`. */
function hook(data: unknown): readonly SourceInput[] {
  const fields = fieldsOf(data);
  const payload = fields.values["hook"];
  const gate = optionalChild(fields, "gate");
  if (gate) return translateGate(payload, gate);
  const answer = optionalName(fields, "answer");
  const gated = gatedOf(fields.values["gated"]);
  const said = translateHook(payload).inputs;
  const inputs = gated ? said.map((input): SourceInput => ({ ...input, gated })) : said;
  return answer === undefined ? inputs : [...inputs, ...translateHookAnswer(payload, answer).inputs];
}

const gatedOf = (gated: unknown): "all" | "permission" | undefined =>
  gated === "all" || gated === "permission" ? gated : undefined;

// Profile
// The client profile of Claude Code.
//
//   Owns:          its names in the journal, the cascade of its sessions, which function reads which of its formats; the shape of
//                  its data in the journal.
//   Does not own:  the formats (the other files here), the use of a profile (runtime/clients).

import { givenInput } from "../../runtime/canonical.ts";
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
import type { MakeToolInput } from "./translated.ts";

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

/** @returns a translator for each raw type, which throws RefusedError for data that it cannot read. */
function claudeCodeTypes(
  toolInput: MakeToolInput,
): Readonly<Record<string, (data: unknown) => readonly SourceInput[]>> {
  return {
    "claude-code.hook": (data) => hook(data, toolInput),
    "claude-code.stream": (line) => translateStreamLine(line, toolInput).inputs,
    "claude-code.transcript": (line) => translateTranscriptLine(line, toolInput).inputs,
    "claude-code.telemetry": (event) => translateTelemetry(event),
  };
}

/**
 * `{hook: payload, answer?: what it printed, gate?: how it waits, gated?: the gates beside it}`; the door wraps a bare payload.
 */
function hook(data: unknown, toolInput: MakeToolInput): readonly SourceInput[] {
  const fields = fieldsOf(data);
  const payload = fields.values["hook"];
  const gate = optionalChild(fields, "gate");
  if (gate) return translateGate(payload, gate, toolInput);
  const answer = optionalName(fields, "answer");
  const gated = gatedOf(fields.values["gated"]);
  const said = translateHook(payload, toolInput).inputs;
  const inputs = gated ? said.map((input): SourceInput => ({ ...input, gated })) : said;
  return answer === undefined
    ? inputs
    : [...inputs, ...translateHookAnswer(payload, answer, toolInput).inputs];
}

const gatedOf = (gated: unknown): "all" | "permission" | undefined =>
  gated === "all" || gated === "permission" ? gated : undefined;

// Raw types
// The table of raw message types and their translators.
//
//   Owns:          the names `claude-code.*` and the shape of their data in the journal.
//   Does not own:  the translations.

import type { SourceInput } from "../../machines/inputs.ts";
import { fieldsOf, optionalChild, optionalName } from "../../runtime/foreign-fields.ts";
import { translateGate } from "./gate.ts";
import { translateHookAnswer } from "./hook-answer.ts";
import { translateHook } from "./hook.ts";
import { translateStreamLine } from "./stream.ts";
import { translateTelemetry } from "./telemetry.ts";
import { translateTranscriptLine } from "./transcript.ts";
import type { MakeToolInput } from "./translated.ts";

/** @returns a translator for each raw type, which throws RefusedError for data that it cannot read. */
export function claudeCodeTypes(
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

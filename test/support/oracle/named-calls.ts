// Named calls
// The calls that a recorded line names, found without knowing its format; and those that inputs name.
//
//   Owns:          the independent scan that translators are checked against.
//   Does not own:  what is said about a call.

import type { SourceInput } from "../../../machines/inputs.ts";
import { stringsIn } from "../engine/json.ts";
import { CALL_ID } from "../sessions/strip-ids.ts";

/** Every string of the line that is a call's id and nothing else. */
export function callsInLine(value: unknown): ReadonlySet<string> {
  return new Set([...stringsIn(value)].map(([, text]) => text).filter((text) => CALL_ID.test(text)));
}

export function callsInInputs(inputs: readonly SourceInput[]): ReadonlySet<string> {
  return new Set(inputs.flatMap(callsOf));
}

function callsOf(input: SourceInput): readonly string[] {
  const refs = "call" in input ? [input.call] : "calls" in input ? input.calls : [];
  const ids = [
    input.parentToolUseId,
    "toolUseId" in input ? input.toolUseId : undefined,
    ...refs.map((ref) => ref.toolUseId),
  ];
  return ids.filter((id) => id !== undefined);
}

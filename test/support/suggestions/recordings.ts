// Recordings
// The calls of real agents as questions: what ran was allowed, what was asked about and did not run was denied.
//
//   Owns:          which calls, and their answers.
//   Does not own:  the recordings, the search for rules.
//
// A script told the models what to do, so these calls are few, and much alike.

import { agentRecordings, type End } from "../agent-proxy/recorded.ts";
import { at, textAt } from "../engine/json.ts";
import { allRecordings } from "../sessions/recording.ts";
import { START_MS } from "./history.ts";
import type { Question } from "./teams.ts";

export const SHOP = "/home/dev/shop";
const STEP_MS = 60_000;

type Call = Pick<Question, "tool" | "answer"> & { readonly input: unknown };

/** Nobody says anything of what is interrupted. */
const ANSWERS: Readonly<Record<End, Call["answer"]>> = {
  completed: "approved",
  failed: "approved",
  denied: "denied",
  interrupted: "expired",
};

/** By recording, in their order. */
export const recordedCalls = (): readonly (readonly Call[])[] => [
  ...allRecordings().map(({ hooks }) => ofHooks(hooks.lines.map(({ value }) => at(value, "payload")))),
  ...agentRecordings().map(({ proven }) =>
    proven.map(({ mark, end }): Call => {
      const call = mark.includes(" ")
        ? { tool: "Bash", input: { command: mark } }
        : { tool: "Write", input: { file_path: `${SHOP}/${mark}` } };
      return { ...call, answer: ANSWERS[end] };
    }),
  ),
];

function ofHooks(payloads: readonly unknown[]): readonly Call[] {
  const named = (name: string): readonly unknown[] =>
    payloads.filter((payload) => textAt(payload, "hook_event_name")?.startsWith(name));
  const ran = new Set(named("PostToolUse").map((payload) => textAt(payload, "tool_use_id")));
  const whatOf = (payload: unknown): string =>
    JSON.stringify([at(payload, "tool_name"), at(payload, "tool_input")]);
  const questions = new Set(named("PermissionRequest").map(whatOf));
  return named("PreToolUse").map((payload) => ({
    tool: textAt(payload, "tool_name") ?? "",
    input: at(payload, "tool_input"),
    answer: ran.has(textAt(payload, "tool_use_id"))
      ? "approved"
      : questions.has(whatOf(payload))
        ? "denied"
        : "expired",
  }));
}

/** The recordings as what people were asked, so many times one after another, each in sessions of its own. */
export function asked(recordings: readonly (readonly Call[])[], times: number): readonly Question[] {
  const all = Array.from({ length: times }, (_, round) =>
    recordings.flatMap((calls, n) => calls.map((call) => ({ ...call, session: `s${round}-${n}` }))),
  ).flat();
  return all.map((call, n): Question => {
    // Recorded inputs are objects; what is not a text in them counts no less.
    const input = call.input as Question["input"];
    return { ...call, input, by: "local:ann", cwd: SHOP, at: START_MS + n * STEP_MS };
  });
}

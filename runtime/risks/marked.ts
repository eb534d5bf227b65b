// Marked
// Decides whether a call has a risk mark, for rules that allow only calls without a mark.
//
//   Owns:          which inputs of a call are checked.
//   Does not own:  finding marks (risks), what a mark means for a rule (machines/rules).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// MARKED-1. A call has a risk mark if its input, or a client's shell command in the input, has a risk mark. An unreadable input
//     counts as marked.

import type { AskedCall } from "../../machines/index.ts";
import { risksOf } from "./risks.ts";

/** @returns the call with the function `isMarked`, which searches the call for risk marks only when called. */
export function withMarks<C extends AskedCall>(call: C): C & Required<Pick<AskedCall, "isMarked">> {
  let found: boolean | undefined;
  return { ...call, isMarked: () => (found ??= isMarked(call)) };
}

function isMarked({ tool, input, shell, cwd }: AskedCall): boolean {
  if (!input || !("text" in input)) return true;
  const value: unknown = JSON.parse(input.text);
  const command = shell?.command;
  return (
    risksOf(tool, value, cwd).length > 0 ||
    (command !== undefined && risksOf("Bash", { command }, cwd).length > 0)
  );
}

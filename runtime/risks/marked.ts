// Marked
// Whether a call bears a risk's mark, told to the rules that ask for none.
//
//   Owns:          which inputs of a call are looked at.
//   Does not own:  the marks (risks), what a rule makes of them (machines/rules).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// MARKED-1. A call bears a mark if its input does, or the command of a client's shell in it. An input that cannot be read
//     is marked.

import type { AskedCall } from "../../machines/index.ts";
import { risksOf } from "./risks.ts";

/** @returns the call, with what says on demand whether it is marked. */
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

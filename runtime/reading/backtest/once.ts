// Once
// Reads equal calls only once: history often repeats the same call.
//
//   Owns:          which calls are the same; keeping what was read of them, for one search or one trial.
//   Does not own:  the reading.
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// BACKTEST-ONCE-1. Two calls are the same if they have the tool, the input, the folder and the client's form in common,
//     and it is as certain which they are about. What depends on more, such as who asked and when, is not kept here.

import type { AskedCall } from "../../../machines/index.ts";
import { withMarks } from "../../risks/marked.ts";

type Call = Pick<AskedCall, "tool" | "input" | "shell" | "cwd" | "isAmbiguous">;

/** BACKTEST-ONCE-1 */
function sameOf({ tool, input, shell, cwd, isAmbiguous }: Call): string {
  // Each part but the last is preceded by its length: so two different calls never look the same.
  const part = (text: string | undefined): string => (text === undefined ? "-" : `${text.length}:${text}`);
  const hash = input && "text" in input ? input.hash : "";
  return `${isAmbiguous ? "?" : "!"}${part(tool)}${part(cwd)}${part(shell && JSON.stringify(shell))}${hash}`;
}

/** Makes something of a call, or has it. @param most how many are kept; then all are forgotten. */
export function once<C extends Call, T>(make: (call: C) => T, most = Infinity): (call: C) => T {
  const kept = new Map<string, { readonly made: T }>();
  return (call) => {
    const same = sameOf(call);
    const known = kept.get(same);
    if (known) return known.made;
    const made = make(call);
    if (kept.size >= most) kept.clear();
    kept.set(same, { made });
    return made;
  };
}

/** As `withMarks`; looked for once where a call comes again. */
export type Marking = <C extends AskedCall>(call: C) => C & Required<Pick<AskedCall, "isMarked">>;

export function marksOnce(): Marking {
  const isMarked = once((call: AskedCall) => withMarks(call).isMarked());
  return (call) => ({ ...call, isMarked: () => isMarked(call) });
}

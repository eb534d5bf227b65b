// Once
// Analyses equal calls only once, because history often repeats a call.
//
//   Owns:          which calls count as equal; keeping the results, for one search or one trial.
//   Does not own:  the analysis.
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// BACKTEST-ONCE-1. Two calls are equal if tool, input, folder, the client's form and the certainty of their match agree.
//     A result that depends on more, such as who asked and when, is not kept here.

import type { AskedCall } from "../../../machines/index.ts";
import { withMarks } from "../../risks/marked.ts";

type Call = Pick<AskedCall, "tool" | "input" | "shell" | "cwd" | "isAmbiguous">;

/** BACKTEST-ONCE-1 */
function sameOf({ tool, input, shell, cwd, isAmbiguous }: Call): string {
  // Each part but the last is preceded by its length, so two different calls never give the same key.
  const part = (text: string | undefined): string => (text === undefined ? "-" : `${text.length}:${text}`);
  const hash = input && "text" in input ? input.hash : "";
  return `${isAmbiguous ? "?" : "!"}${part(tool)}${part(cwd)}${part(shell && JSON.stringify(shell))}${hash}`;
}

/** Keeps what `make` returns, by BACKTEST-ONCE-1. @param most how many results are kept; after that all are dropped. */
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

/** Does the same as `withMarks`, and keeps the marks for equal calls. */
export type Marking = <C extends AskedCall>(call: C) => C & Required<Pick<AskedCall, "isMarked">>;

export function marksOnce(): Marking {
  const isMarked = once((call: AskedCall) => withMarks(call).isMarked());
  return (call) => ({ ...call, isMarked: () => isMarked(call) });
}

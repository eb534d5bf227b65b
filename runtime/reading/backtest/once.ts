// Once
// Analyses equal calls only once, because agents often repeat a call.
//
//   Owns:          which calls count as equal; storing the results for as long as one search or one trial runs.
//   Does not own:  analysing a call (the caller's function).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// BACKTEST-ONCE-1. Two calls are equal if they agree in tool, input, folder and shell command, and in whether the engine is
//     sure to which call the approval belongs. So a function whose result also depends on the agent or the time must not be
//     passed to `once`.

import type { AskedCall } from "../../../machines/index.ts";
import { withMarks } from "../../risks/marked.ts";

type Call = Pick<AskedCall, "tool" | "input" | "shell" | "cwd" | "isAmbiguous">;

/** BACKTEST-ONCE-1: a key that equal calls share. */
function sameOf({ tool, input, shell, cwd, isAmbiguous }: Call): string {
  // Each part but the last is preceded by its length, so different calls never get the same key.
  const part = (text: string | undefined): string => (text === undefined ? "-" : `${text.length}:${text}`);
  const hash = input && "text" in input ? input.hash : "";
  return `${isAmbiguous ? "?" : "!"}${part(tool)}${part(cwd)}${part(shell && JSON.stringify(shell))}${hash}`;
}

/**
 * Makes a function that calls `make` once for equal calls, and stores each result (BACKTEST-ONCE-1).
 * @param most how many results are stored: before one more is stored, all are dropped.
 */
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

/** A function that does the same as `withMarks`, but searches equal calls for risk marks only once. */
export type Marking = <C extends AskedCall>(call: C) => C & Required<Pick<AskedCall, "isMarked">>;

export function marksOnce(): Marking {
  const isMarked = once((call: AskedCall) => withMarks(call).isMarked());
  return (call) => ({ ...call, isMarked: () => isMarked(call) });
}

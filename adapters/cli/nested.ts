// Nested
// Sorts a list of calls so that the calls of a subagent follow the call that started that subagent.
//
//   Owns:          the order and the cells of calls in a list, the sign that marks a nested call.
//   Does not own:  the words of a call (wording).

import type { CallAnswer } from "./answers.ts";
import { causeOfCall, gistIn, intentIn } from "./wording.ts";

const MARK = "↳ ";
/** The deepest indent: a deeper one would cut names in a cell of 48 columns. */
const INDENTED_MAX = 8;

/** A call's tool, with a mark if a subagent made the call. @param depth the number of calls above this call, if known. */
export const toolOf = (
  { tool, parentCallId }: CallAnswer,
  depth = parentCallId === undefined ? 0 : 1,
): string => (depth === 0 ? tool : "  ".repeat(Math.min(depth, INDENTED_MAX) - 1) + MARK + tool);

export const CALL_HEAD = ["CALL", "TOOL", "STATE", "CAUSE", "INTENT", "INPUT"] as const;

export const callCells = (call: CallAnswer, depth?: number): readonly string[] => [
  ...[call.id, toolOf(call, depth), call.execution],
  ...[causeOfCall(call), intentIn(call), gistIn(call)],
];

/** @returns the calls in the given order, with a subagent's calls below the call that started the subagent. */
export function nested(
  calls: readonly CallAnswer[],
): readonly { readonly call: CallAnswer; readonly depth: number }[] {
  const known = new Set(calls.map(({ id }) => id));
  const below = new Map<string | undefined, CallAnswer[]>();
  for (const call of calls) {
    const { parentCallId: parent } = call;
    const key = parent !== undefined && known.has(parent) ? parent : undefined;
    below.set(key, [...(below.get(key) ?? []), call]);
  }
  const rows: { readonly call: CallAnswer; readonly depth: number }[] = [];
  const left = (below.get(undefined) ?? []).map((call) => ({ call, depth: 0 })).toReversed();
  for (let next = left.pop(); next; next = left.pop()) {
    rows.push(next);
    const { id } = next.call;
    const depth = next.depth + 1;
    left.push(...(below.get(id) ?? []).map((call) => ({ call, depth })).toReversed());
  }
  return rows;
}

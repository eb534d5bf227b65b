// Nested
// Sorts calls so that a subagent's calls follow the call that started the subagent.
//
//   Owns:          their order in a list, and the mark of a nested call.
//   Does not own:  the words of a call (wording).

import type { CallAnswer } from "./answers.ts";

const MARK = "↳ ";
/** The deepest indent: a deeper one would cut names in a cell of 48 columns. */
const INDENTED_MAX = 8;

/** A call's tool, with a mark if a subagent made the call. @param depth the number of calls above it, if known. */
export const toolOf = (
  { tool, parentCallId }: CallAnswer,
  depth = parentCallId === undefined ? 0 : 1,
): string => (depth === 0 ? tool : "  ".repeat(Math.min(depth, INDENTED_MAX) - 1) + MARK + tool);

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

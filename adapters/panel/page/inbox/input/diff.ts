// Diff
// What an edit changes, line by line, with the numbers of the lines.
//
//   Owns:          rows of lines; which edits an input has.
//   Does not own:  finding the shortest change (the library `diff`), how it looks (changes.tsx).
//
// DIFF-1. Every character of both texts stands in a row: nothing is left out, and nothing counts as white space only.
// DIFF-2. Texts that take too long to compare are no diff: they are shown as they are.

import { diffLines } from "diff";

export interface Row {
  readonly kind: "same" | "added" | "removed";
  /** The line's number in the old text, and in the new one. */
  readonly old?: number;
  readonly young?: number;
  readonly text: string;
}

const CHANGES_MAX = 2_000;

/** @returns undefined for texts that differ too much. */
export function rowsOf(before: string, after: string): readonly Row[] | undefined {
  const changes = diffLines(before, after, { maxEditLength: CHANGES_MAX });
  if (!changes) return undefined;
  const rows: Row[] = [];
  let [old, young] = [0, 0];
  for (const { value, added, removed } of changes)
    for (const text of linesOf(value)) {
      if (removed) rows.push({ kind: "removed", old: ++old, text });
      else if (added) rows.push({ kind: "added", young: ++young, text });
      else rows.push({ kind: "same", old: ++old, young: ++young, text });
    }
  return rows;
}

/** The end of the last line begins no other one. */
const linesOf = (text: string): readonly string[] => text.replace(/\n$/, "").split("\n");

// Diff
// Compares the old and the new text of an edit, line by line, with line numbers.
//
//   Owns:          making the rows of removed, added and unchanged lines.
//   Does not own:  finding the shortest change (the library `diff`), how the rows look (changes.tsx).
//
// DIFF-1. Every character of the old and the new text is in a row, even if only white space changed.
// DIFF-2. If two texts differ by more than 2000 lines, comparing them would take too long: there is no diff, and the page shows
//     both texts.

import { diffLines } from "diff";

export interface Row {
  readonly kind: "same" | "added" | "removed";
  /** The line's number in the old text; `young`: in the new one. */
  readonly old?: number;
  readonly young?: number;
  readonly text: string;
}

const CHANGES_MAX = 2_000;

/** @returns the lines of the comparison; undefined if the two texts differ too much. */
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

/** A line break at the end of a text does not begin an empty last line. */
const linesOf = (text: string): readonly string[] => text.replace(/\n$/, "").split("\n");

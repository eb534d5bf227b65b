// Line changes
// Compares two texts line by line.
//
//   Owns:          which lines around a difference are shown, and how.
//   Does not own:  finding the shortest change (the package `diff`), the two texts themselves.

import { diffArrays } from "diff";

const AROUND = 2;

/** @returns the removed (`-`) and added (`+`) lines, with the lines around them; empty for equal texts. */
export function lineChanges(before: string, after: string): readonly string[] {
  const marked = diffArrays(linesOf(before), linesOf(after)).flatMap(({ value, added, removed }) =>
    value.map((line) => `${added ? "+" : removed ? "-" : " "} ${line}`),
  );
  const isNear = (at: number): boolean =>
    marked.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => !line.startsWith(" "));
  return marked.flatMap((line, at) => {
    if (isNear(at)) return [line];
    return at > 0 && isNear(at - 1) ? ["  …"] : [];
  });
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/));

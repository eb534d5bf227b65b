// Panel: changes, as functions
// An edit as rows of lines: nothing of either text is lost.

import { describe, expect, it, test } from "vitest";
import { fc } from "@fast-check/vitest";
import { rowsOf } from "../../../../adapters/panel/page/inbox/input/diff.ts";
import { editsOf } from "../../../../runtime/reading/around/edits.ts";

const linesOf = (text: string): string => text.replace(/\n$/, "");

describe("the panel: what an edit changes", () => {
  it("Panel: rows have the numbers of their lines in both texts", () => {
    expect(rowsOf("a\nb\nc\n", "a\nB\nc\nd\n")).toEqual([
      { kind: "same", old: 1, young: 1, text: "a" },
      { kind: "removed", old: 2, text: "b" },
      { kind: "added", young: 2, text: "B" },
      { kind: "same", old: 3, young: 3, text: "c" },
      { kind: "added", young: 4, text: "d" },
    ]);
  });

  it("DIFF-1: both texts can be read from the rows, with their white space", () => {
    const text = fc.array(fc.constantFrom("a", "b", " a", "a ", "\ta", "a\r", "x y"), { minLength: 1 });
    fc.assert(
      fc.property(text, text, (old, young) => {
        const [before, after] = [`${old.join("\n")}\n`, `${young.join("\n")}\n`];
        const rows = rowsOf(before, after) ?? [];
        const read = (not: string): string =>
          rows
            .filter(({ kind }) => kind !== not)
            .map((row) => row.text)
            .join("\n");
        expect(read("added")).toBe(linesOf(before));
        expect(read("removed")).toBe(linesOf(after));
      }),
    );
  });

  it("DIFF-2: texts that differ too much are no diff", () => {
    const lines = (sign: string): string => Array.from({ length: 3_000 }, (_, n) => `${sign}${n}\n`).join("");
    expect(rowsOf(lines("a"), lines("b"))).toBeUndefined();
  });

  test.each([
    ["Edit", { file_path: "/a", old_string: "x", new_string: 7 }],
    ["MultiEdit", { file_path: "/a", edits: [{ old_string: "x", new_string: "y", more: 1 }] }],
    ["MultiEdit", { file_path: "/a", edits: [] }],
    ["Write", { file_path: "/a" }],
    ["Bash", { old_string: "x", new_string: "y" }],
    ["Edit", null],
  ])("Panel: %s with an input of another shape is shown as it is: %j", (tool, input) => {
    expect(editsOf(tool, input)).toBeUndefined();
  });

  it("Panel: what an edit is not made of stays to be shown", () => {
    const edit = { old_string: "x", new_string: "y", replace_all: true };
    expect(editsOf("Edit", { file_path: "/a", ...edit, more: 1 })).toEqual({
      edits: [{ before: "x", after: "y", isEverywhere: true }],
      rest: { file_path: "/a", more: 1 },
    });
    expect(editsOf("MultiEdit", { file_path: "/a", edits: [edit] })?.edits).toHaveLength(1);
  });
});

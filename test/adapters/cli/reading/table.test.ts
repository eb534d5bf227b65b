// Table
// Lists on narrow screens.

import fc from "fast-check";
import { expect, test } from "vitest";
import { table } from "../../../../adapters/cli/output/table.ts";
import { widthOf } from "../../../../adapters/cli/output/width.ts";
import { holds } from "../../../support/properties/property.ts";

const FILE = "test/adapters/cli/reading/table.test.ts";
const NAMES = ["SESSION", "STATE", "CALL", "TITLE", "CAUSE", "FOLDER", "APPROVAL"];
const ID = "6b00d467-b0fd-4785-903b-2763d94335c3";

const tables = fc
  .subarray(NAMES, { minLength: 1 })
  .chain((head) =>
    fc.tuple(
      fc.constant(head),
      fc.array(
        fc.tuple(
          ...head.map(() =>
            fc.oneof(fc.string(), fc.constant(ID), fc.constant("漢字かな交じり文".repeat(9))),
          ),
        ),
        { maxLength: 4 },
      ),
    ),
  );

test("OUTPUT-TABLE-1: on a screen no line is wider than the screen, unless the first column is", () => {
  holds(FILE, 300, fc.tuple(tables, fc.integer({ min: 1, max: 140 })), ([[head, rows], columns]) => {
    const lines = table(head, rows, columns).split("\n");
    const first = Math.max(
      ...table(
        head.slice(0, 1),
        rows.map((row) => row.slice(0, 1)),
      )
        .split("\n")
        .map(widthOf),
    );
    for (const [n, line] of lines.entries())
      expect(widthOf(line)).toBeLessThanOrEqual(Math.max(columns, first + (n === 0 ? 2 : 0)));
    expect(lines.length).toBe(rows.length + 1);
  });
});

test("OUTPUT-TABLE-1: what fits stays as it is without a screen", () => {
  holds(FILE, 100, tables, ([head, rows]) => {
    const free = table(head, rows);
    const width = Math.max(...free.split("\n").map(widthOf));
    expect(table(head, rows, width + 80)).toBe(free);
  });
});

test("OUTPUT-TABLE-1: cells are cut first, then columns left out: ids, then from the right", () => {
  const head = ["APPROVAL", "WAITING", "TOOL", "INPUT", "SESSION"];
  const rows = [[ID, "3m", "Bash", "npm test -- --watch the whole of the house", ID]];
  expect(table(head, rows, 80).split("\n")).toEqual([
    "APPROVAL                              WAITING  TOOL  INPUT …",
    `${ID}  3m       Bash  npm test -- --watch the …`,
  ]);
  expect(table(head, rows, 60).split("\n")).toEqual([
    "APPROVAL                              WAITING  TOOL …",
    `${ID}  3m       Bash`,
  ]);
  expect(table(head, rows, 140)).toBe(table(head, rows));
});

// Table
// Lays out rows of text in columns.
//
//   Owns:          the widths of the columns, cutting cells that are too wide, which columns a narrow screen shows.
//   Does not own:  what the cells of the table contain.
//
// OUTPUT-TABLE-1. No line of a table is wider than the screen, unless the first column alone is too wide. To fit, the table
//     first cuts cells, then leaves out whole columns: first those with ids, because half an id is useless, then other columns
//     from the right. If a column is left out, the head ends with "…".

import { oneLine } from "../../../runtime/text/visible.ts";
import { cut, widthOf } from "./width.ts";

const CELL_MAX = 48;
const CELL_MIN = 8;
const GAP = "  ";
const MORE = " …";
/** The columns with ids, which are never cut, because users copy ids. */
const IDS: ReadonlySet<string> = new Set(["SESSION", "REQUEST", "CALL", "REQUEST, CALL", "APPROVAL", "RULE"]);
const WHOLE: ReadonlySet<string> = new Set([...IDS, "CAUSE"]);

/** @param rows too wide cells are cut, except ids, causes and the last column. @param columns as `columnsOf` returns them. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns = Infinity,
): string {
  const isWhole = head.map((name, column) => column === head.length - 1 || WHOLE.has(name));
  const all = [head, ...rows].map((row) =>
    row.map((cell, column) => cut(oneLine(cell), isWhole[column] === true ? Infinity : CELL_MAX)),
  );
  const wanted = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ""))));
  const widths = fitted(head, wanted, columns);
  const lines = all.map((row) =>
    [...widths]
      .map(([column, width]) => pad(cut(row[column] ?? "", width), width))
      .join(GAP)
      .trimEnd(),
  );
  const [first = "", ...others] = lines;
  return [widths.size < head.length ? first + MORE : first, ...others].join("\n");
}

function fitted(
  head: readonly string[],
  wanted: readonly number[],
  columns: number,
): ReadonlyMap<number, number> {
  const widths = new Map(wanted.entries());
  const isId = (column: number): boolean => IDS.has(head[column] ?? "");
  const over = (each: (width: number, column: number) => number): number => {
    const sum = [...widths].reduce((all, [column, width]) => all + each(width, column) + GAP.length, 0);
    const more = widths.size < head.length ? MORE.length : 0;
    return sum - GAP.length + more - columns;
  };
  const least = (width: number, column: number): number => (isId(column) ? width : Math.min(width, CELL_MIN));
  while (widths.size > 1 && over(least) > 0) {
    const others = [...widths.keys()].slice(1);
    widths.delete(others.findLast(isId) ?? Math.max(...others));
  }
  for (let left = over((width) => width); left > 0; left--) {
    const [widest] = [...widths].filter(([column]) => !isId(column)).toSorted(([, a], [, b]) => b - a);
    if (!widest || widest[1] <= CELL_MIN) break;
    widths.set(widest[0], widest[1] - 1);
  }
  return widths;
}

const pad = (cell: string, width: number): string => cell + " ".repeat(Math.max(0, width - widthOf(cell)));

// Table
// Rows of text in columns.
//
//   Owns:          widths, and cutting what is too wide for them.
//   Does not own:  what stands in the cells.

import { oneLine } from "../../runtime/visible.ts";

const CELL_MAX = 48;
const GAP = "  ";

/**
 * @param head the columns' names.
 * @param rows one cell a column; a cell that is too wide is cut with an ellipsis, the last column never is.
 * @returns the lines, head first.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) =>
    row.map((cell, column) => oneLine(cell, column === head.length - 1 ? Infinity : CELL_MAX)),
  );
  const widths = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ""))));
  return all
    .map((row) =>
      row
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

const pad = (cell: string, width: number): string => cell + " ".repeat(Math.max(0, width - widthOf(cell)));

const widthOf = (cell: string): number => Array.from(cell).length;

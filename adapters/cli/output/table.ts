// Table
// Lays out rows of text in columns.
//
//   Owns:          widths, and cutting cells that are too wide.
//   Does not own:  the cells' content.

import { oneLine } from "../../../runtime/text/visible.ts";
import { cut, widthOf } from "./width.ts";

const CELL_MAX = 48;
const GAP = "  ";
/** Ids are never shortened: people copy them. */
const WHOLE: ReadonlySet<string> = new Set(["SESSION", "REQUEST", "CALL", "APPROVAL", "RULE", "CAUSE"]);

/**
 * @param head the columns' names.
 * @param rows one cell per column; a cell too wide is cut with an ellipsis, except ids and the last column.
 * @returns the lines, head first.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isWhole = head.map((name, column) => column === head.length - 1 || WHOLE.has(name));
  const all = [head, ...rows].map((row) =>
    row.map((cell, column) => cut(oneLine(cell), isWhole[column] === true ? Infinity : CELL_MAX)),
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

// CSV
// Writes rows of text as comma-separated values (RFC 4180) that are safe to open in a spreadsheet.
//
//   Owns:          quoting, making cells harmless that a spreadsheet would run as formulas.
//   Does not own:  what the cells contain.
//
// CSV-1. A reader that follows RFC 4180 gets back the same cells, except where CSV-2 changes a cell.
// CSV-2. No cell begins like a formula: if a text would, an apostrophe is written before the text. Hidden characters are made
//     visible.

import { oneLine } from "../../../runtime/text/visible.ts";

export const csv = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, ...rows].map((row) => row.map(cellOf).join(",")).join("\n");

function cellOf(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = oneLine(value);
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

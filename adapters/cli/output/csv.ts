// CSV
// Rows of text as comma-separated values (RFC 4180), safe to open in a spreadsheet.
//
//   Owns:          quoting, cells that a spreadsheet would run.
//   Does not own:  the cells' content.
//
// CSV-1. A reader of RFC 4180 gets the same cells, except those that CSV-2 changes.
// CSV-2. No cell begins as a formula does: an apostrophe is put before such text. Hidden characters are shown.

import { oneLine } from "../../../runtime/text/visible.ts";

export const csv = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, ...rows].map((row) => row.map(cellOf).join(",")).join("\n");

function cellOf(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = oneLine(value);
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

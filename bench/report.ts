// Report
// What was measured, beside its baseline and its budget.
//
//   Owns:          the shape of a row; telling met from missed; the table.
//   Does not own:  measuring.

export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly figure: number;
  readonly baseline: { readonly name: string; readonly figure: number };
  /** Absent where the row has no budget. `of` is what the limit holds for. */
  readonly budget?: {
    readonly of: "figure" | "ratio";
    readonly sense: "at most" | "at least";
    readonly limit: number;
  };
  readonly note?: string;
}

export interface Judged extends Row {
  readonly ratio: number;
  readonly met: boolean | undefined;
  /** How far beyond its limit a missed row is: 1.5 means half as much again. */
  readonly missedBy: number | undefined;
}

export function judge(row: Row): Judged {
  const ratio = row.figure / row.baseline.figure;
  const { budget } = row;
  if (!budget) return { ...row, ratio, met: undefined, missedBy: undefined };
  const value = budget.of === "ratio" ? ratio : row.figure;
  const excess = budget.sense === "at most" ? value / budget.limit : budget.limit / value;
  return { ...row, ratio, met: excess <= 1, missedBy: excess <= 1 ? undefined : excess };
}

export function table(rows: readonly Judged[]): string {
  const head = ["what", "figure", "baseline", "ratio", "budget", ""];
  const lines = rows.map((row) => [
    row.what,
    `${short(row.figure)} ${row.unit}`,
    `${short(row.baseline.figure)} ${row.unit} (${row.baseline.name})`,
    short(row.ratio),
    budgetOf(row),
    verdictOf(row),
  ]);
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  );
  const print = (line: readonly string[]): string =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  const notes = rows.flatMap(({ what, note }) => (note === undefined ? [] : [`${what}: ${note}`]));
  return [
    print(head),
    print(widths.map((width) => "-".repeat(width))),
    ...lines.map(print),
    "",
    ...notes,
  ].join("\n");
}

function budgetOf({ budget, unit }: Row): string {
  if (!budget) return "none";
  const { of, sense, limit } = budget;
  return `${sense === "at most" ? "≤" : "≥"} ${limit}${of === "ratio" ? " ×" : ` ${unit}`}`;
}

function verdictOf({ met, missedBy }: Judged): string {
  if (met === undefined) return "";
  return missedBy === undefined ? "met" : `missed, ${short(missedBy)} × the limit`;
}

function short(value: number): string {
  const size = Math.abs(value);
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(size >= 0.1 ? 2 : 4);
}

// Table
// The scores of all ways, as a table to be read.
//
//   Owns:          adding up, the columns.
//   Does not own:  the ways, the scores.

import type { Recording } from "../support/sessions/recording.ts";
import { NOTHING, score, type Score, sum } from "./score.ts";
import { type Way, WAYS } from "./ways.ts";

export interface Row extends Score {
  readonly way: string;
}

/** Tells every recording in every way. @param seed the first. */
export async function rowsOf(
  recordings: readonly Recording[],
  seed: number,
  ways: readonly Way[] = WAYS,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const way of ways) {
    let total = NOTHING;
    for (let nth = 0; nth < way.times; nth++)
      for (const recording of recordings)
        total = sum(total, score(recording, await way.hear(recording, seed + nth), way));
    rows.push({ way: way.name, ...total });
  }
  return rows;
}

const share = (part: number, of: number): string => (of === 0 ? "–" : `${part} / ${of}`);

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ way, calls, wrong, exact, causes, causesKnown, approvals, approvalsRight }) => [
    way,
    share(calls - wrong, calls),
    share(exact, calls),
    share(causesKnown, causes),
    share(approvalsRight, approvals),
  ]);
  const cells = [["told", "right", "exact", "causes", "approvals"], ...lines];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const drawn = cells.map((line) => `| ${line.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(" | ")} |`);
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [drawn[0], rule, ...drawn.slice(1)].join("\n");
}

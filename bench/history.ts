// History
// Keeps what runs have measured, so that a change of speed can be followed back to a commit.
//
//   Owns:          the file and the shape of its lines.
//   Does not own:  measuring, judging one run (report.ts).
//
// A line is comparable with another of the same machine only: figures are ratios where it matters.

import { execFileSync } from "node:child_process";
import { appendFile } from "node:fs/promises";
import type { Effort } from "./effort.ts";
import type { Judged } from "./report.ts";

const FILE = "bench/history.jsonl";

interface Run {
  readonly effort: Effort;
  readonly machine: object;
  readonly rows: readonly Judged[];
}

/** Appends a line to the project's history of figures: it is committed with what it measured. */
export async function record({ effort, machine, rows }: Run): Promise<void> {
  const at = new Date().toISOString();
  const figures = rows.map(({ what, unit, figure, ratio, met }) => ({ what, unit, figure, ratio, met }));
  await appendFile(FILE, `${JSON.stringify({ at, ...commit(), effort, machine, figures })}\n`);
  process.stderr.write(`Recorded in ${FILE}.\n`);
}

/** Empty outside of a repository. */
function commit(): { readonly commit?: string; readonly isChanged?: boolean } {
  const git = (...args: readonly string[]): string => execFileSync("git", args, { encoding: "utf8" }).trim();
  try {
    return { commit: git("rev-parse", "--short", "HEAD"), isChanged: git("status", "--porcelain") !== "" };
  } catch {
    return {};
  }
}

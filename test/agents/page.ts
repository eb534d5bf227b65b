// Page
// docs/reference/agents.md, which the runs with real agents write: a section for each, with what it did in each fault.
//
//   Owns:          the page's form, replacing an agent's own section, the words for a fault that did not happen.
//   Does not own:  its head (written by hand), what is green (the runs).

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "reference", "agents.md");

export interface Cell {
  readonly cell: string;
  readonly isBad: boolean;
}

type Run = "run" | "not run";

const MAY: Readonly<Record<Run, string>> = { run: "may run", "not run": "must not run" };
const DID: Readonly<Record<Run, string>> = { run: "ran", "not run": "did not run" };

/** What the agent's command did, in words. */
export const didText = (how: Run): string => `the command ${DID[how]}`;

export const rowOf = (name: string, may: Run, cell: string): string =>
  `| ${name} | the command ${MAY[may]} | ${cell} |`;

export const didNotHappen = (error: unknown): Cell => {
  const why = error instanceof Error ? error.message : String(error);
  return { cell: `**did not happen: ${why.split("\n")[0] ?? ""}**`, isBad: true };
};

/** @param version as it is told of. @param rows of a table with three columns. */
export function writeSection(name: string, version: string, rows: readonly string[]): void {
  const [head = "", ...sections] = readFileSync(PAGE, "utf8").split(/^## /m);
  const day = new Date().toISOString().slice(0, 10);
  const where = `${process.platform} ${process.arch}, Node ${process.versions.node}`;
  const table = [
    "| what happens while the agent asks | what may follow | what followed |",
    "| --- | --- | --- |",
    ...rows,
  ];
  const section = `${name}\n\nTested on ${day} with ${version}, on ${where}.\n\n${table.join("\n")}\n`;
  const others = sections.filter((each) => !each.startsWith(`${name}\n`));
  const all = [...others.map((each) => `${each.trim()}\n`), section].toSorted();
  writeFileSync(PAGE, `${head.trim()}\n\n## ${all.join("\n## ")}`);
}

// Run
// `npm run planted`: plants each bug in a copy of the project and says which test noticed it.
//
//   Owns:          the command line, progress, the exit code.
//   Does not own:  the bugs (bugs/), the copy (trial.ts).

import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { type Bug, type Witness, witnessesOf } from "./bug.ts";
import { BUGS } from "./bugs/index.ts";
import { Trial } from "./trial.ts";

const ROOT = dirname(dirname(import.meta.dirname));
const HELP = `Plants known bugs in a copy of the project, one at a time, and runs the tests that must notice each.

  npm run planted
  npm run planted -- --only "an older generation"
  npm run planted -- --json

Exit code 0: every bug was caught by each test that claims it; 1: one was not; 2: the command line is wrong.`;

interface Row {
  readonly bug: string;
  readonly harm: string;
  readonly caught: boolean;
  readonly witnesses: readonly string[];
  /** The witnesses that did not notice. */
  readonly blind: readonly string[];
  readonly failed: readonly string[];
}

const named = ({ file, claim }: Witness): string => `${file} ${claim}`;

async function tried(trial: Trial, bug: Bug): Promise<Row> {
  const { blind, failed } = await trial.of(bug);
  const witnesses = witnessesOf(bug).map(named);
  const caught = blind.length === 0;
  return { bug: bug.name, harm: bug.harm, caught, witnesses, blind: blind.map(named), failed };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean" } },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const { only = "" } = values;
  const bugs = BUGS.filter(({ name }) => name.includes(only));
  if (bugs.length === 0) throw new TypeError(`No planted bug has a name with "${only}" in it.`);
  const trial = await Trial.begin(ROOT);
  const rows: Row[] = [];
  try {
    const files = [...new Set(bugs.flatMap(witnessesOf).map(({ file }) => file))];
    console.error(`Without a bug: ${files.length} test files …`);
    const failed = await trial.unharmed(files);
    if (failed.length > 0) throw new Error(`These tests fail without any bug: ${failed.join("; ")}.`);
    for (const [index, bug] of bugs.entries()) {
      const row = await tried(trial, bug);
      rows.push(row);
      console.error(`${index + 1}/${bugs.length} ${row.caught ? "caught" : "MISSED"}  ${row.bug}`);
    }
  } finally {
    await trial.end();
  }
  const missed = rows.filter(({ caught }) => !caught);
  if (values.json) console.log(JSON.stringify(rows, undefined, 2));
  else {
    for (const { bug, caught, witnesses, blind } of rows)
      console.log(
        `${caught ? "caught" : "MISSED"}  ${bug.padEnd(58)}  ${(caught ? witnesses : blind).join(", ")}`,
      );
    console.log(`${rows.length - missed.length} of ${rows.length} planted bugs were caught.`);
  }
  return missed.length === 0 ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = error instanceof TypeError ? 2 : 1;
  },
);

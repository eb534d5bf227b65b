// Run
// `npm run eval:fidelity`: tells every recording in every way, prints what came of it, and writes docs/fidelity.md.
//
//   Owns:          the command line, the place in the document.
//   Does not own:  the measuring (table).

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { allRecordings } from "../support/sessions/recording.ts";
import { rowsOf, tableOf } from "./table.ts";

const HELP = `Tells every recording in test/recordings to an engine in many ways, and compares each call with what the recording proves.

  npm run eval:fidelity                  prints the table and writes it into docs/fidelity.md
  npm run eval:fidelity -- --seed 7      loses other lines, and writes nothing`;

const DOCUMENT = join(import.meta.dirname, "..", "..", "docs", "fidelity.md");
const PLACE = /(<!-- table: [^>]*-->\n)[^]*?(\n<!-- \/table -->)/;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seed: { type: "string" }, help: { type: "boolean" } } });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const table = tableOf(await rowsOf(allRecordings(), Number(values.seed ?? 1)));
  console.log(table);
  if (values.seed !== undefined) return;
  const text = readFileSync(DOCUMENT, "utf8");
  writeFileSync(
    DOCUMENT,
    text.replace(PLACE, (_, begin: string, end: string) => `${begin}\n${table}\n${end}`),
  );
}

await main();

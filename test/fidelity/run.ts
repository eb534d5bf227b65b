// Run
// `npm run eval:fidelity`: tells every recording in every way, prints what came of it, and writes docs/why/fidelity.md. With
// `--client VERSION` the recordings are made first, with that version of the real client.
//
//   Owns:          the command line, the place in the document.
//   Does not own:  the measuring (table), making recordings (live).

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { numbered } from "../support/client/numbered.ts";
import { allRecordings, type Recording } from "../support/sessions/recording.ts";
import { rowsOf, tableOf } from "./table.ts";

const HELP = `Tells every recording in test/recordings to an engine in many ways, and compares each call with what the recording proves.

  npm run eval:fidelity                  prints the table and writes it into docs/why/fidelity.md
  npm run eval:fidelity -- --seed 7      loses other lines, and writes nothing
  npm run eval:fidelity -- --client 2.1.100
                                         makes recordings with that version of Claude Code, or "latest", and writes nothing`;

const DOCUMENT = join(import.meta.dirname, "..", "..", "docs", "why", "fidelity.md");
const PLACE = /(<!-- table: [^>]*-->\n)[^]*?(\n<!-- \/table -->)/;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { client: { type: "string" }, seed: { type: "string" }, help: { type: "boolean" } },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const recordings = values.client === undefined ? allRecordings() : await recordedWith(values.client);
  const table = tableOf(await rowsOf(recordings, Number(values.seed ?? 1)));
  console.log(table);
  if (values.seed !== undefined || values.client !== undefined) return;
  const text = readFileSync(DOCUMENT, "utf8");
  writeFileSync(
    DOCUMENT,
    text.replace(PLACE, (_, begin: string, end: string) => `${begin}\n${table}\n${end}`),
  );
}

async function recordedWith(client: string): Promise<readonly Recording[]> {
  const version = numbered(client);
  process.env["CLAUDE_CODE_VERSION"] = version;
  // It reads which version is meant as it is loaded.
  const { liveRecordings } = await import("./live.ts");
  const recordings = await liveRecordings();
  console.log(`Claude Code ${version}, ${recordings.length} recordings made now:`);
  return recordings;
}

await main();

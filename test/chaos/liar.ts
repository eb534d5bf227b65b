// Liar
// A copy of the built engine that lies.
//
//   Owns:          copying it, and the one place where the lie is put in.
//   Does not own:  what the lie does (lies), striking the engine (world).
//
// LIAR-1. The place is there exactly once; otherwise nothing is built.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { planted } from "../planted/bug.ts";
import { copyBuilt } from "../support/processes/program.ts";
import type { Lie } from "./lies.ts";

/** Everything that a lie needs exists then, and nothing has used it yet. */
export const PLACE = {
  file: "adapters/composition/compose.ts",
  find: "const queries = new Queries(engine, blobs);",
};

/** @returns the program in the copy. @throws Error LIAR-1. */
export function buildLiar(dir: string, lie: Lie): string {
  const copy = join(dir, "liar");
  const program = copyBuilt(copy);
  buildSync({
    entryPoints: [join(import.meta.dirname, "lies.ts")],
    outfile: join(copy, "dist", "lies.js"),
    bundle: true,
    platform: "node",
    format: "esm",
  });
  const file = join(copy, "dist", PLACE.file.replace(/\.ts$/, ".js"));
  const put = `${PLACE.find} lieAs("${lie}", { engine, door, queries, sleep });`;
  const head = `import { setTimeout as sleep } from "node:timers/promises";\nimport { lieAs } from "../lies.js";\n`;
  writeFileSync(file, head + planted(readFileSync(file, "utf8"), { ...PLACE, put }));
  return program;
}

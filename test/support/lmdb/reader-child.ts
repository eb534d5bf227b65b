// Reader child
// A process that opens one store after the other, reads all of it and writes a little, to be killed by what it finds there.
//
//   Owns:          saying of each folder what came of it.
//   Does not own:  damaging the folders, judging (damaged.test.ts).
//
// A line of its input is a folder; a line of its output begins with that folder.

import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { openLmdb } from "../../../adapters/lmdb/index.ts";
import { markOf, systemClock } from "../../../adapters/system/index.ts";

const never = new AbortController().signal;

/** @returns how many rows it has. */
async function use(dir: string): Promise<number> {
  const { store, journal, close } = openLmdb(dir, systemClock(), { markOf });
  await store.open();
  try {
    const rows = [...store.range({ gte: "", lt: "~" })];
    await journal.open(undefined);
    if (journal.tail() > 0) await journal.read(0, 1_000, never);
    await store.commit([
      ...rows.slice(0, 20).map(([del]) => ({ del })),
      ...Array.from({ length: 20 }, (_, n) => ({ put: `later/${n}`, value: "x".repeat(n * 900) })),
    ]);
    return rows.length;
  } finally {
    await close();
  }
}

for await (const dir of createInterface({ input: process.stdin })) {
  const told = await use(dir).then(
    (rows) => `read ${rows}`,
    (error: unknown) =>
      `refused ${error instanceof Error && "code" in error ? String(error.code) : String(error)}`,
  );
  writeSync(1, `${dir} ${told}\n`);
}

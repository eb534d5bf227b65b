// LMDB, the redo log's room
// Commits that wait because the tail of the redo log is full.

import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { type LmdbFolder, openLmdb } from "../../../adapters/lmdb/index.ts";
import type { Write } from "../../../runtime/ports.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const DUE_MS = 5_000;
const base = scratchEach();
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
});

/** A store whose first commit is made, so that the next ones are redo. */
async function begun(): Promise<LmdbFolder> {
  const folder = openLmdb(join(base(), "store"), clock);
  await folder.store.open();
  await folder.store.commit([put("begun")]);
  return folder;
}

const put = (key: string, value = key): Write => ({ put: key, value });

it("REDO-LOG-5: commits that outrun the checkpoint wait for it, and keep their order", async () => {
  const folder = await begun();
  const text = "x".repeat(1 << 20);
  await Promise.all(
    Array.from({ length: 80 }, (_, n) =>
      folder.store.commit([put(`text/${n}`, text), put("last", String(n))]),
    ),
  );
  expect(folder.store.get("last")).toBe("79");
  expect([...folder.store.range({ gte: "text/", lt: "text0" })].map(([, value]) => value === text)).toEqual(
    Array.from({ length: 80 }, () => true),
  );
  await folder.close();
});

it("REDO-LOG-5: a commit that waits for room while a checkpoint removes redo rows lets it go on", async () => {
  const folder = await begun();
  for (let from = 0; from < 3_000; from += 500)
    await Promise.all(Array.from({ length: 500 }, () => folder.store.commit([put("a")])));
  clock.advance(DUE_MS);
  const text = "x".repeat(1 << 20);
  await folder.store.commit(Array.from({ length: 40 }, (_, n) => put(`text/${n}`, text)));
  await folder.store.commit([put("after")]);
  expect(folder.store.get("after")).toBe("after");
  await folder.close();
});

// LMDB, compacted
// What removals leave free is used again, and given back where that is asked for, with the engine stopped.

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compactLmdb, type LmdbFolder, openLmdb } from "../../../adapters/lmdb/index.ts";
import { markOf, systemClock } from "../../../adapters/system/index.ts";
import { startChild } from "../../support/lmdb/children.ts";

const ROW = "x".repeat(3_000);
let base: string;
let dir: string;
let data: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "signalbox-compact-"));
  dir = join(base, "store");
  data = join(dir, "data.mdb");
});
afterEach(() => rmSync(base, { recursive: true }));

async function opened(): Promise<LmdbFolder & { readonly epoch: number }> {
  const folder = openLmdb(dir, systemClock(), { markOf });
  const epoch = await folder.store.open();
  await folder.journal.open(undefined);
  return { ...folder, epoch };
}

const rowsOf = ({ store }: LmdbFolder) => [...store.range({ gte: "", lt: "~" })];
const entriesOf = ({ journal }: LmdbFolder, count: number) =>
  Promise.all(Array.from({ length: count }, async (_, n) => (await journal.entry(n + 1))?.body));

async function put({ store }: LmdbFolder, from: number, count: number): Promise<void> {
  await store.commit(Array.from({ length: count }, (_, n) => ({ put: `row/${from + n}`, value: ROW })));
}
async function take({ store }: LmdbFolder, from: number, count: number): Promise<void> {
  await store.commit(Array.from({ length: count }, (_, n) => ({ del: `row/${from + n}` })));
}

/** A store that held much, and holds little: most of its file is free. */
async function leave(): Promise<readonly (readonly [string, string])[]> {
  const folder = await opened();
  for (let n = 0; n < 10; n += 1) await put(folder, n * 500, 500);
  await folder.journal.append(["entry 1", "entry 2"]);
  await take(folder, 100, 4_900);
  const rows = rowsOf(folder);
  await folder.close();
  return rows;
}

describe("the data file", () => {
  it("G33: what is removed is used again: a store that keeps as much as before does not grow", async () => {
    const folder = await opened();
    const sizes: number[] = [];
    for (let round = 0; round < 90; round += 1) {
      await put(folder, round * 500, 500);
      if (round > 1) await take(folder, (round - 2) * 500, 500);
      sizes.push(statSync(data).size);
    }
    await folder.close();
    // By then the redo log was folded more than once: it takes no more than two of its windows.
    expect(sizes.at(-1)).toBe(sizes[59]);
    expect(sizes.at(-1)).toBeLessThan(6 * 500 * 4_096 + 2 * (40 << 20));
  });
});

describe("compacting it", () => {
  it("LMDB-COMPACT-1: gives the free pages back; rows, entries and the epoch are as before, and an engine goes on", async () => {
    const rows = await leave();
    const { bytesBefore, bytesAfter } = await compactLmdb(dir, { markOf });
    expect(bytesBefore).toBeGreaterThan(5_000 * ROW.length);
    expect(bytesAfter).toBe(statSync(data).size);
    expect(bytesAfter).toBeLessThan(bytesBefore / 10);
    expect(statSync(data).mode & 0o777).toBe(0o600);
    const folder = await opened();
    expect(folder.epoch).toBe(3);
    expect(rowsOf(folder)).toEqual(rows);
    expect(await entriesOf(folder, 2)).toEqual(["entry 1", "entry 2"]);
    await put(folder, 9_000, 1);
    expect(await folder.journal.append(["entry 3"])).toEqual([3]);
    await folder.close();
    expect(existsSync(join(dir, "compacting"))).toBe(false);
  });

  it("LMDB-COMPACT-2, G6: is refused while an engine has the store, and changes nothing", async () => {
    await leave();
    const engine = startChild("hold", dir);
    try {
      await engine.said("epoch");
      const before = readFileSync(data);
      await expect(compactLmdb(dir, { markOf })).rejects.toMatchObject({ code: "STORE_BUSY" });
      expect(readFileSync(data).equals(before)).toBe(true);
      engine.send("commit");
      await engine.said("committed");
    } finally {
      engine.kill();
      await engine.ended;
    }
  });

  it("LMDB-COMPACT-1: killed at any moment, it leaves the same rows", async () => {
    const rows = await leave();
    for (const afterMs of [0, 3, 9, 20, 40, 70]) {
      const child = startChild("compact", dir);
      await child.said("compacting");
      await sleep(afterMs);
      child.kill();
      expect(await child.ended).toBe("SIGKILL");
      const folder = await opened();
      expect(rowsOf(folder)).toEqual(rows);
      expect(await entriesOf(folder, 2)).toEqual(["entry 1", "entry 2"]);
      await folder.close();
    }
  });
});

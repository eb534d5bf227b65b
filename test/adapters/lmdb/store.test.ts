// LMDB
// What only this implementation promises: who may own the folder, and who may read it.
//
//   Owns:          ownership between processes, the folder's modes, one failure for all.
//   Does not own:  the ports' contracts (contracts/), crashes (lmdb/crash.test.ts).

import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open as openRaw } from "lmdb";
import type { Database } from "lmdb";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openLmdb } from "../../../adapters/lmdb/index.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import { startChild } from "../../support/lmdb/children.ts";

interface Raw {
  readonly journal: Database<string, number>;
  readonly meta: Database<string, string>;
}

let base: string;
let dir: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "signalbox-lmdb-"));
  dir = join(base, "data", "store");
});
afterEach(() => rm(base, { recursive: true }));

it("PORTS-3, G6, ENVIRONMENT-1: a second live process is refused, and the first goes on", async () => {
  const first = startChild("hold", dir);
  expect(await first.said("epoch")).toBe("epoch 1");
  const second = startChild("hold", dir);
  expect(await second.said("refused")).toBe("refused STORE_BUSY");
  const here = openLmdb(dir, systemClock());
  await expect(here.store.open()).rejects.toMatchObject({ code: "STORE_BUSY", obligation: "stop" });
  first.send("commit");
  expect(await first.said("committed")).toBe("committed");
  first.kill();
  await first.ended;
  await second.ended;
});

it("LMDB-JOURNAL-3: an entry is read before its sync, and never seen durable behind a commit made because of it", async () => {
  const { store, journal, close } = openLmdb(dir, systemClock());
  await store.open();
  await journal.open(undefined);
  const order: string[] = [];
  const appended = journal.append(["said"]).then(() => order.push("appended"));
  const [entry] = await journal.read(0, 1, new AbortController().signal);
  expect([entry?.body, journal.tail()]).toEqual(["said", 0]);
  const committed = store.commit([{ put: "k", value: "v" }]).then(() => order.push("committed"));
  await Promise.all([appended, committed]);
  expect(order).toEqual(["appended", "committed"]);
  expect([journal.tail(), store.get("k")]).toEqual([1, "v"]);
  await close();
});

it("PORTS-3, G6: an owner that was killed with -9 does not hold up the next one", async () => {
  const first = startChild("hold", dir);
  await first.said("epoch");
  first.kill();
  await first.ended;
  const { store, close } = openLmdb(dir, systemClock());
  expect(await store.open()).toBe(2);
  await close();
});

it("PORTS-3, G6, ENVIRONMENT-2, TRANSACTION-1: a forced start takes the store from a live process, whose next commit fails and changes nothing", async () => {
  const first = startChild("hold", dir);
  await first.said("epoch");
  first.send("commit");
  await first.said("committed");
  const second = startChild("force", dir);
  expect(await second.said("epoch")).toBe("epoch 2");
  first.send("commit");
  expect(await first.said("rejected")).toBe("rejected STORE_FENCED");
  second.send("commit");
  await second.said("committed");
  second.kill();
  await Promise.all([first.ended, second.ended]);
  const { store, close } = openLmdb(dir, systemClock());
  expect(await store.open()).toBe(3);
  expect(store.get("by")).toMatch(/^\d+$/);
  await close();
});

it("PORTS-3: within a process the later store takes over: the earlier one and its journal fail, once and for all", async () => {
  const fatal: string[] = [];
  const first = openLmdb(dir, systemClock(), { onFatal: (error) => fatal.push(error.code) });
  await first.store.open();
  await first.journal.open(undefined);
  const underWay = first.store.commit([{ put: "a", value: "under way" }]);
  const second = openLmdb(dir, systemClock());
  expect(await second.store.open()).toBe(2);
  await underWay;
  expect(second.store.get("a")).toBe("under way");
  const fenced = { code: "STORE_FENCED" };
  await expect(first.store.commit([])).rejects.toMatchObject(fenced);
  await expect(first.journal.append(["late"])).rejects.toMatchObject(fenced);
  expect(() => first.store.get("a")).toThrow(expect.objectContaining(fenced));
  expect(fatal).toEqual(["STORE_FENCED"]);
  await first.close();
  await second.close();
});

it("G27: the folder and the files in it are for their user only", async () => {
  const { store, close } = openLmdb(dir, systemClock());
  await store.open();
  const mode = async (path: string) => (await stat(path)).mode & 0o777;
  expect(await mode(dir)).toBe(0o700);
  const files = await readdir(dir);
  expect(files.toSorted()).toEqual(["data.mdb", "lock.mdb"]);
  expect(await Promise.all(files.map((file) => mode(join(dir, file))))).toEqual([0o600, 0o600]);
  await close();
});

it("PORTS-3: a folder that cannot be one is refused with what to do", async () => {
  await writeFile(join(base, "data"), "not a folder");
  const { store } = openLmdb(dir, systemClock());
  await expect(store.open()).rejects.toMatchObject({ code: "STORE_UNOPENED", obligation: "stop" });
});

it("PORTS-3: a damaged store is refused, not overwritten", async () => {
  await mkdir(dir, { recursive: true });
  const garbage = Buffer.alloc(16_384, "garbage");
  await writeFile(join(dir, "data.mdb"), garbage);
  await expect(openLmdb(dir, systemClock()).store.open()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
  expect(await readFile(join(dir, "data.mdb"))).toEqual(garbage);
});

it("PORTS-3: nothing is touched before the store is opened", async () => {
  const { journal, close } = openLmdb(dir, systemClock());
  await expect(journal.open(undefined)).rejects.toMatchObject({ code: "STORE_CLOSED" });
  await close();
  expect(await readdir(base)).toEqual([]);
});

it("PORTS-1: one read gives no more than 4 MiB of text, and a larger entry by itself", async () => {
  const { store, journal, close } = openLmdb(dir, systemClock());
  await store.open();
  await journal.open(undefined);
  const mebibytes = [1, 1, 1, 5, 1, 3];
  await journal.append(mebibytes.map((size) => "x".repeat(size << 20).slice(100)));
  const reads: number[] = [];
  for (let position = 0; position < 6;) {
    const entries = await journal.read(position, 100, new AbortController().signal);
    reads.push(entries.length);
    position += entries.length;
  }
  expect(reads).toEqual([3, 1, 2]);
  await close();
});

it.each([
  ["JOURNAL_REGRESSED", "an entry that its head speaks of is missing", (raw: Raw) => raw.journal.remove(2)],
  ["JOURNAL_DAMAGED", "its head is not one", (raw: Raw) => raw.meta.put("journal", "not a head")],
])(
  "PORTS-1, JOURNAL-FORMAT-1, LMDB-JOURNAL-1: a journal is refused with %s when %s",
  async (code, _, damage) => {
    const first = openLmdb(dir, systemClock());
    await first.store.open();
    await first.journal.open(undefined);
    await first.journal.append(["a", "b"]);
    await first.close();

    const root = openRaw<string, string>({ path: dir, noSubdir: false, overlappingSync: false });
    const journal = root.openDB<string, number>({ name: "journal", encoding: "string" });
    const meta = root.openDB<string, string>({ name: "meta", encoding: "string" });
    await damage({ journal, meta });
    await root.close();

    const { store, journal: damaged, close } = openLmdb(dir, systemClock());
    await store.open();
    await expect(damaged.open(undefined)).rejects.toMatchObject({ code, obligation: "stop" });
    await close();
  },
);

// LMDB, the redo log
// Commits that are one row each, and rows that come to their places later: at any moment the store is what its commits
// made of it.
//
//   Owns:          FOLD-1 and REDO-LOG-1 to REDO-LOG-6 as far as one process can show them: an owner whose
//                  files were moved writes nothing more, as one that is killed.
//   Does not own:  commits that wait for room (redo-log.room.test.ts), processes that are killed (crash.test.ts), folding what
//                  is left (fold.test.ts).

import { renameSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { type LmdbFolder, openLmdb } from "../../../adapters/lmdb/index.ts";
import { migrate } from "../../../runtime/engine/migration.ts";
import type { Write } from "../../../runtime/ports.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { FORMAT_5 } from "../../support/engine/stored-format.ts";
import { Rig } from "../../support/engine/rig.ts";
import { changed, rawIn } from "../../support/lmdb/raw.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { said } from "../../support/sessions/said.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const ALL = { gte: "", lt: "\x7f" } as const;
const DUE_MS = 5_000;
const FILE = "test/adapters/lmdb/redo-log.test.ts";

const base = scratchEach();
let dir: string;
let clock: ManualClock;

beforeEach(() => {
  dir = join(base(), "store");
  clock = new ManualClock();
});

/** Ends all writing between two transactions, wherever a checkpoint stands; the folder is as it was then. */
async function killed({ store }: LmdbFolder): Promise<void> {
  const lock = join(dir, "lock.mdb");
  renameSync(lock, `${lock}.away`);
  await expect(store.commit([])).rejects.toMatchObject({ code: "STORE_REPLACED" });
  renameSync(`${lock}.away`, lock);
}

/** The next owner of the folder. One that has it open is taken over from, once it has nothing more to write. */
async function opened(): Promise<LmdbFolder> {
  const folder = openLmdb(dir, clock);
  await folder.store.open();
  return folder;
}

/** One whose first commit is made, so that the next ones are redo. */
async function begun(): Promise<LmdbFolder> {
  const folder = await opened();
  await folder.store.commit([put("begun")]);
  return folder;
}

const put = (key: string, value = key): Write => ({ put: key, value });
const rowsOf = ({ store }: LmdbFolder) => new Map(store.range(ALL));
const many = (count: number, value: string): readonly Write[] =>
  Array.from({ length: count }, (_, n) => put(`row/${String(n).padStart(5, "0")}`, value));

/** Waits for as many transactions; a checkpoint that runs takes part in each. */
async function transactions({ store }: LmdbFolder, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await store.commit([]);
}

const key = fc.string({ unit: fc.constantFrom("a", "b", "/"), minLength: 1, maxLength: 3 });
const writes = fc.array(
  fc.oneof(
    fc.record({ put: key, value: fc.string({ unit: "grapheme", maxLength: 8 }) }),
    fc.record({ del: key }),
  ),
  { minLength: 1, maxLength: 8 },
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ step: fc.constant("commit" as const), writes }) },
  {
    weight: 6,
    arbitrary: fc.record({
      step: fc.constant("range" as const),
      range: fc.record({ gte: key, lt: key, limit: fc.nat(4), reverse: fc.boolean() }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("checkpoint" as const), waits: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("reopen" as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("kill" as const) }) },
);

it("FOLD-1, TAIL-1, TAIL-2: whatever is committed, read, folded, closed and killed, in any order, the store reads like a map", async () => {
  await holdsLater(FILE, 40, fc.array(step, { minLength: 10, maxLength: 40, size: "max" }), async (steps) => {
    let folder = await opened();
    await folder.store.commit([...rowsOf(folder).keys()].map((del) => ({ del })).concat([{ del: "none" }]));
    const model = new Map<string, string>();
    const sorted = () => [...model].sort(([one], [other]) => (one < other ? -1 : 1));
    for (const each of steps) {
      if (each.step === "commit") {
        await folder.store.commit(each.writes);
        for (const one of each.writes) {
          if ("put" in one) model.set(one.put, one.value);
          else model.delete(one.del);
        }
      } else if (each.step === "range") {
        const { gte, lt, limit, reverse } = each.range;
        const inside = sorted().filter(([one]) => one >= gte && one < lt);
        if (reverse) inside.reverse();
        expect([...folder.store.range(each.range)]).toEqual(inside.slice(0, limit));
        expect(folder.store.get(gte)).toBe(model.get(gte));
      } else if (each.step === "checkpoint") {
        clock.advance(DUE_MS);
        await transactions(folder, each.waits);
      } else {
        await (each.step === "reopen" ? folder.close() : killed(folder));
        folder = await opened();
      }
      expect([...folder.store.range(ALL)]).toEqual(sorted());
    }
    await folder.close();
    expect((await rawIn(dir)).redo).toEqual([]);
  });
});

it("REDO-LOG-3, FOLD-1: cut off at any slice of a checkpoint, the next owner finds each row as it was committed last", async () => {
  const seen = new Set<number>();
  for (let slices = 0; slices < 9; slices += 1) {
    const first = await begun();
    for (const value of ["old", "new"]) await first.store.commit(many(1_900, `${value} ${slices}`));
    await first.store.commit([{ del: "row/00007" }, put("row/00008", "newest")]);
    clock.advance(DUE_MS);
    await transactions(first, slices);
    await killed(first);
    const second = await opened();
    const rows = rowsOf(second);
    seen.add(rows.size);
    expect([rows.get("row/00007"), rows.get("row/00008")]).toEqual([undefined, "newest"]);
    rows.delete("row/00008");
    rows.delete("begun");
    expect(new Set(rows.values())).toEqual(new Set([`new ${slices}`]));
    await second.close();
    await first.close();
  }
  expect(seen).toEqual(new Set([1_900]));
});

it("REDO-LOG-1: the first commit goes to its places, those behind it are redo; neither is lost", async () => {
  const folder = await opened();
  await folder.store.commit([]);
  await folder.store.commit([put("meta", "format")]);
  expect(await rawIn(dir)).toMatchObject({ rows: new Map([["meta", "format"]]), redo: [] });
  await folder.store.commit([put("a"), put("meta", "later")]);
  expect(await rawIn(dir)).toMatchObject({ rows: new Map([["meta", "format"]]), redo: [1] });
  const next = await opened();
  expect(next.store.get("meta")).toBe("later");
  await next.close();
  await folder.close();
});

it("REDO-LOG-1, MIGRATION-5: in a folder of the format before, this format stands in its place before anything is redo", async () => {
  await (await opened()).close();
  await changed(dir, async ({ rows }) => {
    for (const [one, text] of FORMAT_5.rows) void rows.put(one, text);
    await rows.flushed;
  });
  const folder = await opened();
  await migrate(folder.store, () => undefined);
  await folder.store.commit([put("row")]);
  const { rows, redo } = await rawIn(dir);
  expect(JSON.parse(rows.get("meta") ?? "")).toEqual({ ...FORMAT_5.meta, format: 6 });
  expect(redo).toEqual([1]);
  await folder.close();
});

it("REDO-LOG-1: an engine on a new folder has the row that says the format in its place before anything is redo", async () => {
  const folder = openLmdb(dir, clock);
  const rig = await Rig.start({ wrapStore: () => folder.store });
  await rig.submit("chat", [said.prompt("begin")]);
  await rig.quiet();
  const { rows, redo } = await rawIn(dir);
  expect(JSON.parse(rows.get("meta") ?? "")).toMatchObject({ format: 6 });
  expect(redo.length).toBeGreaterThan(0);
  await folder.close();
});

it("REDO-LOG-2: a commit is read once it is durable, whole, and not before", async () => {
  const folder = await begun();
  const { store } = folder;
  await store.commit([put("a", "old"), put("b", "old")]);
  const one = store.commit([put("a", "new"), { del: "b" }]);
  const other = store.commit([put("a", "newest")]);
  expect([...store.range(ALL)].map(([, value]) => value)).toEqual(["old", "old", "begun"]);
  await one;
  await other;
  expect([...store.range(ALL)]).toEqual([
    ["a", "newest"],
    ["begun", "begun"],
  ]);
  await folder.close();
});

it("REDO-LOG-4, TAIL-3: what is written again while a checkpoint runs is not lost with the redo of the checkpoint", async () => {
  const folder = await begun();
  await folder.store.commit(many(1_300, "old"));
  clock.advance(DUE_MS);
  await transactions(folder, 1);
  // In a slice that was written, in the one that is being written, in one that was not begun.
  const again = ["row/00000", "row/00500", "row/01299"];
  await folder.store.commit(again.map((one) => put(one, "new")));
  await transactions(folder, 10);
  expect((await rawIn(dir)).redo).toEqual([2]);
  expect(again.map((one) => folder.store.get(one))).toEqual(["new", "new", "new"]);
  await killed(folder);
  const next = await opened();
  expect(again.map((one) => next.store.get(one))).toEqual(["new", "new", "new"]);
  expect(next.store.get("row/00001")).toBe("old");
  await next.close();
  await folder.close();
});

it("TAIL-3: a row whose next commit lands while its slice is under way stays as that commit left it", async () => {
  const folder = await begun();
  for (let round = 0; round < 20; round += 1) {
    await folder.store.commit([put("a", `old ${round}`)]);
    const next = folder.store.commit([put("a", `new ${round}`)]);
    await nextRound();
    clock.advance(DUE_MS);
    await next;
    await transactions(folder, 4);
    expect(folder.store.get("a")).toBe(`new ${round}`);
  }
  await folder.close();
});

it("REDO-LOG-5: redo is folded five seconds after its first commit, and at once where there is much of it", async () => {
  const folder = await begun();
  await folder.store.commit([put("a")]);
  clock.advance(DUE_MS - 1);
  await folder.store.commit([put("b")]);
  await transactions(folder, 3);
  expect((await rawIn(dir)).redo).toEqual([1, 2]);
  clock.advance(1);
  await transactions(folder, 3);
  expect(await rawIn(dir)).toMatchObject({ redo: [], folded: "2" });
  await folder.store.commit(many(1_000, "x".repeat(20_000)));
  await transactions(folder, 60);
  expect(await rawIn(dir)).toMatchObject({ redo: [], folded: "3" });
  await folder.close();
});

it("REDO-LOG-6: an orderly end leaves no redo, also while a checkpoint runs or commits are under way", async () => {
  for (const isRunning of [false, true]) {
    const folder = await begun();
    await folder.store.commit(many(1_300, "old"));
    if (isRunning) clock.advance(DUE_MS);
    const underWay = folder.store.commit([put("under way"), put("row/00003", "new")]);
    await folder.close();
    await underWay;
    const { rows, redo } = await rawIn(dir);
    expect(redo).toEqual([]);
    expect([rows.size, rows.get("under way"), rows.get("row/00003")]).toEqual([1_302, "under way", "new"]);
  }
});

it("ENVIRONMENT-4, REDO-LOG-3: a checkpoint that fails is a failure of the store: told once, and nothing is lost", async () => {
  const fatal: string[] = [];
  const folder = openLmdb(dir, clock, { onFatal: ({ code }) => fatal.push(code) });
  await folder.store.open();
  await folder.store.commit([put("begun")]);
  await folder.store.commit([put("a")]);
  const next = openLmdb(dir, clock);
  const opening = next.store.open();
  clock.advance(DUE_MS);
  await opening;
  await expect(folder.store.commit([put("b")])).rejects.toMatchObject({ code: "STORE_FENCED" });
  await folder.close();
  expect(fatal).toEqual(["STORE_FENCED"]);
  expect(next.store.get("a")).toBe("a");
  await next.close();
});

// LMDB, folding
// What a killed owner leaves in the redo log: folded by whoever opens the store next, and refused where it is damaged.

import { statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { foldLeft } from "../../../adapters/lmdb/fold.ts";
import { compactLmdb, openLmdb } from "../../../adapters/lmdb/index.ts";
import { encodeRedo } from "../../../adapters/lmdb/redo-row.ts";
import type { Tables } from "../../../adapters/lmdb/tables.ts";
import { transact, readEpoch } from "../../../adapters/lmdb/transaction.ts";
import { markOf, systemClock } from "../../../adapters/system/index.ts";
import { leaveRedo } from "../../support/lmdb/children.ts";
import { changed, rawIn } from "../../support/lmdb/raw.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const base = scratchEach();
let dir: string;

beforeEach(() => {
  dir = join(base(), "store");
});

const text = (n: number) => `${n} `.padEnd(9_000, "x");

/** A store with as many redo rows, each of which also writes the one row "last". */
async function leaveMany(count: number): Promise<void> {
  await (await opened()).close();
  await changed(dir, async ({ redo }) => {
    for (let n = 1; n <= count; n += 1) {
      const writes = [
        { put: `row/${n}`, value: text(n) },
        { del: `row/${n - 100}` },
        { put: "last", value: String(n) },
      ];
      void redo.put(n, encodeRedo(n, writes));
    }
    await redo.flushed;
  });
}

async function opened() {
  const folder = openLmdb(dir, systemClock(), { markOf });
  await folder.store.open();
  return folder;
}

describe("a start behind a kill", () => {
  it("FOLD-1, ENVIRONMENT-7, REDO-LOG-1: it finds each acknowledged commit, and leaves no redo", async () => {
    await leaveRedo(dir);
    const left = await rawIn(dir);
    expect([left.redo, left.rows.size]).toEqual([[1, 2, 3], 2]);
    const folder = await opened();
    expect([...folder.store.range({ gte: "0", lt: ":" })]).toHaveLength(4);
    expect(await rawIn(dir)).toMatchObject({ redo: [], folded: "3" });
    await folder.close();
  });

  it("ENVIRONMENT-7: compacting brings to its place what was left, too", async () => {
    await leaveRedo(dir);
    await compactLmdb(dir, { markOf });
    const { rows, redo } = await rawIn(dir);
    expect([rows.size, redo]).toEqual([5, []]);
  });

  it("FOLD-3: cut off behind any of its steps, it is gone on with, and comes to the same rows", async () => {
    await leaveMany(600);
    const steps: number[] = [];
    for (let left = 0; ; left += 1) {
      const isDone = await changed(dir, (tables) =>
        foldLeft(dir, tables, stopping(tables, 1, steps)).then(
          () => true,
          () => false,
        ),
      );
      const { redo, folded, rows } = await rawIn(dir);
      expect(redo[0] ?? 601).toBe(Number(folded) + 1);
      expect(rows.get("last")).toBe(folded);
      expect(left).toBeLessThan(20);
      if (isDone) break;
    }
    expect(steps.length).toBeGreaterThan(3);
    const { rows } = await rawIn(dir);
    expect(rows.size).toBe(101);
    for (let n = 501; n <= 600; n += 1) expect(rows.get(`row/${n}`)).toBe(text(n));
  });

  it("FOLD-4: it takes little room beside that of the log", async () => {
    await leaveMany(1_200);
    const before = statSync(join(dir, "data.mdb")).size;
    const folder = await opened();
    expect(folder.store.get("last")).toBe("1200");
    expect(statSync(join(dir, "data.mdb")).size - before).toBeLessThan(5 << 20);
    await folder.close();
  });
});

/** Makes this many transactions, and fails at the next one. */
function stopping(tables: Tables, count: number, steps: number[]): Parameters<typeof foldLeft>[2] {
  let made = 0;
  return async (puts) => {
    if (made === count) throw new Error("killed");
    made += 1;
    steps.push(puts.length);
    await transact(tables, readEpoch(tables), puts);
  };
}

describe("damage of the log", () => {
  const alter = async ({ redo }: Tables, n: number): Promise<void> => {
    const bytes = Buffer.from(redo.get(n) ?? "");
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await redo.put(n, bytes);
  };
  it.each<[string, string, (tables: Tables) => Promise<unknown>]>([
    ["a row is missing", "row 2 of its redo log is missing", ({ redo }) => redo.remove(2)],
    ["its first row is missing", "row 1 of its redo log is missing", ({ redo }) => redo.remove(1)],
    ["a bit of a row is another", "row 3 of its redo log is not what was written", (all) => alter(all, 3)],
    [
      "a row stands under another number",
      "row 2 of its redo log is not what was written",
      ({ redo }) => redo.put(2, redo.get(1) ?? Buffer.alloc(0)),
    ],
    ["a row is cut", "row 1 of its redo log is not what", ({ redo }) => redo.put(1, Buffer.alloc(3))],
    ["a later `folded`", "row 3 of its redo log is missing", ({ meta }) => meta.put("folded", "2")],
    ["no number in `folded`", "does not say where", ({ meta }) => meta.put("folded", "x")],
  ])(
    "FOLD-2, REDO-ROW-1: %s: the store is told to be damaged, and nothing is folded",
    async (_, why, damage) => {
      await leaveRedo(dir);
      await changed(dir, damage);
      const before = await rawIn(dir);
      await expect(opened()).rejects.toMatchObject({
        code: "STORE_DAMAGED",
        obligation: "stop",
        message: expect.stringContaining(why) as string,
      });
      expect(await rawIn(dir)).toEqual(before);
    },
  );
});

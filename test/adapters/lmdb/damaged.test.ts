// LMDB, damaged files
// Files with bytes, pages or commits mixed up, and copies of a folder whose engine was writing: opened by another process.
//
//   Owns:          G23 as far as what stands in the store's file goes.
//   Does not own:  values that were altered and can still be read (`signalbox verify`), files that are gone (lost.test.ts).

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lookAtDataFile } from "../../../adapters/lmdb/data-file.ts";
import { cases, damaged, type History, historyOf, live, PAGE, SIZES } from "../../support/lmdb/damage.ts";
import { startChild } from "../../support/lmdb/children.ts";
import { Reader } from "../../support/lmdb/reader.ts";
import { samples } from "../../support/properties/property.ts";

let base: string;
const reader = new Reader();

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "signalbox-damaged-"));
});
afterEach(async () => {
  await reader.end();
  rmSync(base, { recursive: true });
});

/** What another process says of a store with this file. */
async function opened(name: string, bytes: Buffer): Promise<string> {
  const dir = join(base, name);
  mkdirSync(dir);
  writeFileSync(join(dir, "data.mdb"), bytes);
  const told = await reader.use(dir);
  rmSync(dir, { recursive: true });
  return told;
}

/** Behind a page's header, four numbers of lmdb's, and the length of a page. */
const FLAGS_OF_HEADER_AT = 52;

const IN_WORDS = /^(?:read \d+|refused (?:STORE_DAMAGED|STORE_LOST|JOURNAL_DAMAGED|JOURNAL_REGRESSED))$/;

describe("G23: a damaged data file", () => {
  it("G23, DATA-FILE-3, LMDB-PAGE-1, LMDB-TREE-1, LMDB-TREE-2, FREE-PAGES-1: however it is damaged, it is read and written to, or refused in words", async () => {
    const histories = await Promise.all(SIZES.map((size, n) => historyOf(join(base, `store-${n}`), size)));
    const told: string[] = [];
    for (const [n, each] of samples(150, cases).entries()) {
      const came = await opened(`case-${n}`, damaged(histories[each.size] ?? [], each));
      expect(came, JSON.stringify(each)).toMatch(IN_WORDS);
      told.push(came.split(" ")[0] ?? "");
    }
    expect(new Set(told)).toEqual(new Set(["read", "refused"]));
  });

  it("G23, DATA-FILE-5: with options that our files do not have, in either header, it is refused", async () => {
    const history = await historyOf(join(base, "store"), SIZES[1]);
    for (const page of [0, 1]) {
      for (let bit = 0; bit < 16; bit += 1) {
        const bytes = Buffer.from(history.at(-1) ?? "");
        const at = page * PAGE + FLAGS_OF_HEADER_AT + (bit >> 3);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
        expect(await opened(`flag-${page}-${bit}`, bytes), `${page} ${bit}`).toBe("refused STORE_DAMAGED");
      }
    }
  });

  it("G23, DATA-FILE-3: each page is either missed when it is gone, or holds nothing that is read", async () => {
    const history: History = await historyOf(join(base, "store"), SIZES[1]);
    const whole = history.at(-1) ?? Buffer.alloc(0);
    const rows = await opened("whole", whole);
    expect(rows).toMatch(/^read [1-9]/);
    const unused: number[] = [];
    for (let page = 2; page < whole.length / PAGE; page += 1) {
      const bytes = Buffer.from(whole);
      bytes.fill(0, page * PAGE, (page + 1) * PAGE);
      const file = join(base, "zeroed");
      writeFileSync(file, bytes);
      // Of a long text only the first page is looked at; the rows are counted, not read for their sense.
      if ((await lookAtDataFile(file)) !== "whole") continue;
      unused.push(page);
      if (unused.length % 4 === 1) expect(await opened(`without-${page}`, bytes)).toBe(rows);
    }
    expect(unused.length).toBeGreaterThan(4);
    expect(unused.length).toBeLessThan(whole.length / PAGE - 10);
  });
});

describe("G23: a folder that is copied while its engine writes", () => {
  it("G23, TABLES-4: is opened, or refused in words", async () => {
    const engine = startChild("write", join(base, "store"));
    await engine.said("committed", 3);
    const copies: string[] = [];
    for (let n = 0; n < 14; n += 1) {
      const copy = join(base, `copy-${n}`);
      cpSync(join(base, "store"), copy, { recursive: true });
      copies.push(copy);
    }
    engine.kill();
    expect(await engine.ended).toBe("SIGKILL");
    for (const copy of copies) expect(await reader.use(copy)).toMatch(IN_WORDS);
  });
});

describe("G23: a folder that was put back", () => {
  it("G23, ORDERLY-1: with a torn file and the mark of an orderly end is refused in words", async () => {
    const dir = join(base, "store");
    await historyOf(dir, SIZES[1]);
    const data = join(dir, "data.mdb");
    writeFileSync(data, readFileSync(data).fill(0xff, 2 * PAGE));
    expect(await reader.use(dir)).toBe("refused STORE_DAMAGED");
  });
});

describe("G23: a file that is not damaged", () => {
  it.each(SIZES)(
    "G23, DATA-FILE-3: with $rows rows of up to $longest bytes is whole behind each commit, removals among them",
    async (size) => {
      const found = new Set<unknown>();
      await live(join(base, "store"), size, 40, async (data) => {
        found.add(await lookAtDataFile(data));
      });
      expect([...found, await lookAtDataFile(join(base, "store", "data.mdb"))]).toEqual(["whole", "whole"]);
    },
  );

  it("G23, DATA-FILE-3: is whole, and opened, after its engine was killed with -9, however often", async () => {
    const dir = join(base, "store");
    for (let round = 0; round < 5; round += 1) {
      const engine = startChild("write", dir);
      await engine.said("committed", 2 + 7 * round);
      engine.kill();
      await engine.ended;
      expect(await lookAtDataFile(join(dir, "data.mdb"))).toBe("whole");
    }
    expect(await reader.use(dir)).toMatch(/^read [1-9]/);
  });

  it("G23, DATA-FILE-4: is not called damaged while its engine writes", async () => {
    const dir = join(base, "store");
    const engine = startChild("write", dir);
    await engine.said("committed", 3);
    for (let n = 0; n < 20; n += 1) expect(await lookAtDataFile(join(dir, "data.mdb"))).toBe("whole");
    expect(await reader.use(dir)).toBe("refused STORE_BUSY");
    engine.kill();
    await engine.ended;
  });

  it("G23, DATA-FILE-1: is not changed by being looked at", async () => {
    await historyOf(join(base, "store"), SIZES[0]);
    const data = join(base, "store", "data.mdb");
    const before = readFileSync(data);
    expect(await lookAtDataFile(data)).toBe("whole");
    expect(readFileSync(data)).toEqual(before);
  });
});

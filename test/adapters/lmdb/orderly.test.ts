// LMDB, orderly ends
// Which store is opened without a look at each of its pages: one that is as its owner left it, and no other.

import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compactLmdb, openLmdb } from "../../../adapters/lmdb/index.ts";
import { dropMark, fitsMark } from "../../../adapters/lmdb/orderly.ts";
import { markOf, systemClock } from "../../../adapters/system/index.ts";
import { historyOf, SIZES } from "../../support/lmdb/damage.ts";
import { startChild } from "../../support/lmdb/children.ts";
import { Reader } from "../../support/lmdb/reader.ts";

let base: string;
let dir: string;
let data: string;
const reader = new Reader();

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "signalbox-orderly-"));
  dir = join(base, "store");
  data = join(dir, "data.mdb");
});
afterEach(async () => {
  await reader.end();
  rmSync(base, { recursive: true });
});

const left = () => historyOf(dir, SIZES[1]);
const isMarked = (where = dir): boolean => existsSync(join(where, "orderly"));

describe("the mark of an orderly end", () => {
  it("ORDERLY-1, ENVIRONMENT-6: a store that was closed is as its owner left it", async () => {
    await left();
    expect(await fitsMark(dir, data)).toBe(true);
  });

  it("ORDERLY-2: there is none while the store is open, nor after its process was killed", async () => {
    await left();
    expect(isMarked()).toBe(true);
    const { store, close } = openLmdb(dir, systemClock(), { markOf });
    await store.open();
    expect(isMarked()).toBe(false);
    await close();
    expect(isMarked()).toBe(true);
    const engine = startChild("hold", dir);
    await engine.said("epoch");
    expect(isMarked()).toBe(false);
    engine.kill();
    await engine.ended;
    expect(isMarked()).toBe(false);
  });

  it("ORDERLY-2: one that another owner leaves while the store is opened is taken away, too", async () => {
    await left();
    const closing = (): undefined => {
      writeFileSync(join(dir, "orderly"), "as another owner left it");
      return undefined;
    };
    const { store, close } = openLmdb(dir, systemClock(), { markOf: closing });
    await store.open();
    expect(isMarked()).toBe(false);
    await close();
  });

  it("ORDERLY-2: it is for one start only", async () => {
    await left();
    expect(await fitsMark(dir, data)).toBe(true);
    await dropMark(dir);
    expect(await fitsMark(dir, data)).toBe(false);
  });

  const inPlace = (): Buffer => readFileSync(data);
  it.each([
    [
      "put back from a copy with its times",
      () => {
        cpSync(data, `${data}.2`, { preserveTimestamps: true });
        cpSync(`${data}.2`, data, { preserveTimestamps: true });
      },
    ],
    ["written to", () => writeFileSync(data, inPlace())],
    [
      "written to and given the times it had",
      () => {
        const { atime, mtime } = statSync(data);
        writeFileSync(data, inPlace().fill(0, 8_192, 12_288));
        utimesSync(data, atime, mtime);
      },
    ],
    ["longer", () => appendFileSync(data, "x")],
    ["shorter", () => truncateSync(data, statSync(data).size - 4096)],
    ["gone", () => rmSync(data)],
  ])("ORDERLY-1: a file that was %s is another than the mark's", async (_, change) => {
    await left();
    change();
    expect(await fitsMark(dir, data)).toBe(false);
  });

  it("ORDERLY-1: a copy of the folder is another file than the mark's, and each of its pages is looked at", async () => {
    await left();
    const copy = join(base, "copy");
    cpSync(dir, copy, { recursive: true, preserveTimestamps: true });
    expect(isMarked(copy)).toBe(true);
    expect(await fitsMark(copy, join(copy, "data.mdb"))).toBe(false);
    cpSync(dir, `${copy}-2`, { recursive: true, preserveTimestamps: true });
    const bytes = inPlace();
    bytes.fill(0xff, 8_192);
    writeFileSync(join(`${copy}-2`, "data.mdb"), bytes);
    expect(await reader.use(`${copy}-2`)).toBe("refused STORE_DAMAGED");
  });

  it("ENVIRONMENT-6: who was taken over from leaves none, nor does who failed, nor a compaction that replaced the file", async () => {
    const first = openLmdb(dir, systemClock(), { markOf });
    await first.store.open();
    const second = openLmdb(dir, systemClock(), { markOf });
    await second.store.open();
    await first.close();
    expect(isMarked()).toBe(false);
    rmSync(join(dir, "lock.mdb"));
    await expect(second.store.commit([{ put: "a", value: "b" }])).rejects.toMatchObject({
      code: "STORE_REPLACED",
    });
    await second.close();
    expect(isMarked()).toBe(false);
    await compactLmdb(dir, { markOf });
    expect(isMarked()).toBe(false);
  });
});

// LMDB, files that are gone
// A data file that was cut, emptied, overwritten or lost, a lock file that was deleted, a folder that was moved or copied.
//
//   Owns:          G23 as far as the store's own folder goes.
//   Does not own:  the data folder around it (data-folder/used.test.ts).

import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lookAtDataFile } from "../../../adapters/lmdb/data-file.ts";
import { openLmdb } from "../../../adapters/lmdb/index.ts";
import { markOf, systemClock } from "../../../adapters/system/index.ts";
import type { Write } from "../../../runtime/ports.ts";
import { type Child, startChild } from "../../support/lmdb/children.ts";

const PAGE = 4096;
let base: string;
let dir: string;
let data: string;
const children: Child[] = [];

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "signalbox-lost-"));
  dir = join(base, "store");
  data = join(dir, "data.mdb");
});
afterEach(async () => {
  for (const child of children) child.kill();
  await Promise.all(children.splice(0).map(({ ended }) => ended));
  rmSync(base, { recursive: true });
});

function start(scenario: string, where = dir, wrap: readonly string[] = []): Child {
  const child = startChild(scenario, where, wrap);
  children.push(child);
  return child;
}

/** The first thing it says of its start, or how it died. */
const begun = (child: Child): Promise<string> =>
  Promise.race([child.said("epoch"), child.said("refused")]).catch(async () => String(await child.ended));

/** A commit of it: what it was told. */
async function commit(child: Child): Promise<string> {
  const before = child.lines.filter((line) => /^(committed|rejected)/.test(line)).length;
  child.send("commit");
  const told = () => child.lines.filter((line) => /^(committed|rejected)/.test(line))[before];
  await expect.poll(told, { timeout: 20_000 }).toBeDefined();
  return told() ?? "";
}

/** Leaves a store behind, whose last pages are free. */
async function leave(rows = 60): Promise<ReadonlyMap<string, string>> {
  const { store, journal, close } = openLmdb(dir, systemClock(), { markOf });
  await store.open();
  await journal.open(undefined);
  const put = (n: number): Write => ({ put: `row/${n}`, value: String(n).repeat(3000) });
  await store.commit(Array.from({ length: rows }, (_, n) => put(n)));
  await journal.append(["entry 1", "entry 2"]);
  await store.commit(Array.from({ length: rows - 1 }, (_, n) => ({ del: `row/${n + 1}` })));
  for (let n = 0; n < 5; n += 1) await store.commit([{ put: "last", value: String(n) }]);
  const left = new Map(store.range({ gte: "", lt: "~" }));
  await close();
  return left;
}

/** Without its free pages at the end, and one byte more. */
async function cutWhereItCounts(bytes: Buffer): Promise<Buffer> {
  const cut = join(base, "cut");
  let length = bytes.length;
  for (; length > 0; length -= PAGE) {
    writeFileSync(cut, bytes.subarray(0, length - PAGE));
    if ((await lookAtDataFile(cut)) !== "whole") break;
  }
  return bytes.subarray(0, length - 1);
}

describe("G23: a data file that is not whole", () => {
  it("G23, DATA-FILE-2, FREE-PAGES-1, TABLES-4: cut anywhere, it is told before it is mapped, but for pages that are free", async () => {
    const left = await leave();
    const whole = readFileSync(data);
    expect(whole.length % PAGE).toBe(0);
    const found: string[] = [];
    for (let pages = whole.length / PAGE; pages >= 0; pages -= 1) {
      writeFileSync(join(base, "cut"), whole.subarray(0, pages * PAGE));
      const look = await lookAtDataFile(join(base, "cut"));
      found.push(typeof look === "object" ? "cut" : look);
    }
    const fits = found.findIndex((look) => look !== "whole");
    // Only free pages at the end may be missing; that there are some here is what makes this a test of them.
    expect(fits).toBeGreaterThan(1);
    expect(found.slice(fits)).toEqual([...found.slice(fits, -1).map(() => "cut"), "none"]);
    truncateSync(data, whole.length - (fits - 1) * PAGE);
    const { store, journal, close } = openLmdb(dir, systemClock(), { known: { epoch: 1 } });
    await store.open();
    await journal.open(undefined);
    expect(new Map(store.range({ gte: "", lt: "~" }))).toEqual(left);
    await store.commit(Array.from({ length: 60 }, (_, n) => ({ put: `more/${n}`, value: "x".repeat(3000) })));
    await close();
    expect(await lookAtDataFile(data)).toBe("whole");
  });

  it.each([
    ["cut by a byte that counts", cutWhereItCounts, "STORE_DAMAGED"],
    ["cut to its headers", (bytes: Buffer) => bytes.subarray(0, 2 * PAGE), "STORE_DAMAGED"],
    ["cut within its headers", (bytes: Buffer) => bytes.subarray(0, PAGE + 10), "STORE_DAMAGED"],
    ["emptied", () => Buffer.alloc(0), "STORE_LOST"],
    ["zeros", (bytes: Buffer) => Buffer.alloc(bytes.length), "STORE_DAMAGED"],
    [
      "another file's beginning",
      (bytes: Buffer) => Buffer.concat([Buffer.alloc(PAGE, "x"), bytes.subarray(PAGE)]),
      "STORE_DAMAGED",
    ],
    [
      "without its second header",
      (bytes: Buffer) =>
        Buffer.concat([bytes.subarray(0, PAGE), Buffer.alloc(PAGE, "x"), bytes.subarray(2 * PAGE)]),
      "STORE_DAMAGED",
    ],
  ])("G23, DATA-FILE-1: %s: the process says so, lives, and changes nothing", async (_, damage, code) => {
    await leave();
    const damaged = await damage(readFileSync(data));
    writeFileSync(data, damaged);
    const child = start("known");
    expect(await begun(child)).toBe(`refused ${code}`);
    expect(await child.ended).toBe(0);
    expect(readFileSync(data)).toEqual(damaged);
  });

  it("G23, LMDB-TROUBLE-1: a store that was used is never begun anew: neither its file nor its folder is made again", async () => {
    await leave();
    rmSync(data);
    const known = () => openLmdb(dir, systemClock(), { known: { epoch: 1 } }).store.open();
    await expect(known()).rejects.toMatchObject({
      code: "STORE_LOST",
      obligation: "stop",
      message: expect.stringContaining(data) as string,
    });
    expect(existsSync(data)).toBe(false);
    rmSync(dir, { recursive: true });
    await expect(known()).rejects.toMatchObject({ code: "STORE_LOST" });
    expect(existsSync(dir)).toBe(false);
  });

  it("G23: a file that was only begun is a new store, where none was used before", async () => {
    mkdirSync(dir);
    writeFileSync(data, "");
    const { store, close } = openLmdb(dir, systemClock());
    expect(await store.open()).toBe(1);
    await close();
  });

  it("G23: a store older than what is known of it is refused, and not written to", async () => {
    await leave();
    const before = readFileSync(data);
    const { store } = openLmdb(dir, systemClock(), { known: { epoch: 2 } });
    await expect(store.open()).rejects.toMatchObject({ code: "STORE_OLDER", obligation: "stop" });
    expect(readFileSync(data)).toEqual(before);
  });
});

describe("G23: files that go while an engine runs", () => {
  it("G23, G6, ENVIRONMENT-5: with lock.mdb deleted a second engine is still refused, and the first stops at its next commit", async () => {
    const first = start("hold");
    expect(await begun(first)).toBe("epoch 1");
    expect(await commit(first)).toBe("committed");
    rmSync(join(dir, "lock.mdb"));
    expect(await begun(start("hold"))).toBe("refused STORE_BUSY");
    expect(await commit(first)).toBe("rejected STORE_REPLACED");
    await first.ended;
    // The same again: nothing has to be waited for, or tidied up by hand.
    expect(await begun(start("hold"))).toBe("epoch 2");
  });

  it.each([0, 1, 2, 3])(
    "G23, G6: whoever takes over behind a deleted lock.mdb loses nothing of its %i commits to the first engine",
    async (commits) => {
      const first = start("hold");
      await begun(first);
      expect(await commit(first)).toBe("committed");
      rmSync(join(dir, "lock.mdb"));
      const second = start("force");
      expect(await begun(second)).toBe("epoch 2");
      for (let n = 0; n < commits; n += 1) expect(await commit(second)).toBe("committed");
      expect(await commit(first)).toBe("rejected STORE_REPLACED");
      expect(await commit(second)).toBe("committed");
      second.kill();
      await Promise.all([first.ended, second.ended]);
      const { store, close } = openLmdb(dir, systemClock(), { markOf });
      expect(await store.open()).toBe(3);
      const rows = [...store.range({ gte: "0", lt: ":" })];
      // One of the first engine's, all of the second's.
      expect(rows).toHaveLength(1 + commits + 1);
      await close();
    },
  );

  it.each([
    ["data.mdb is deleted", () => rmSync(data)],
    [
      "data.mdb is put back from a copy",
      () => {
        cpSync(data, `${data}.copy`);
        renameSync(`${data}.copy`, data);
      },
    ],
    ["the folder is moved", () => renameSync(dir, `${dir}.moved`)],
    ["the folder is deleted", () => rmSync(dir, { recursive: true })],
  ])("G23: %s: the engine acknowledges nothing more", async (_, lose) => {
    const first = start("hold");
    await begun(first);
    expect(await commit(first)).toBe("committed");
    lose();
    expect(await commit(first)).toBe("rejected STORE_REPLACED");
    await first.ended;
  });

  it("G23, LMDB-OWNERSHIP-1: an engine that was killed with -9 holds nobody up, with its lock.mdb or without", async () => {
    for (const [epoch, without] of [false, true].entries()) {
      const first = start("hold");
      expect(await begun(first)).toBe(`epoch ${2 * epoch + 1}`);
      first.kill();
      await first.ended;
      if (without) rmSync(join(dir, "lock.mdb"));
      const next = start("hold");
      expect(await begun(next)).toBe(`epoch ${2 * epoch + 2}`);
      next.kill();
      await next.ended;
    }
  });

  it("G23, LMDB-OWNERSHIP-2: a copy of a live engine's folder is nobody's, and the engine goes on", async () => {
    const first = start("hold");
    await begun(first);
    expect(await commit(first)).toBe("committed");
    cpSync(dir, join(base, "copy"), { recursive: true });
    expect(await begun(start("hold", join(base, "copy")))).toBe("epoch 2");
    expect(await commit(first)).toBe("committed");
  });
});

// As containers have: each with numbers of its own for its processes.
const APART = ["unshare", "-rpf", "--mount-proc", "--kill-child"];
const canPart =
  process.platform === "linux" && spawnSync(APART[0] ?? "", [...APART.slice(1), "true"]).status === 0;

describe.runIf(canPart)("G23: engines in two containers", () => {
  it("G23, G6: one whose process has the same number is told from itself, and refused", async () => {
    const first = start("hold", dir, [...APART, "sh", "-c", 'exec "$@"', "sh"]);
    expect(await begun(first)).toBe("epoch 1");
    const second = start("hold", dir, [...APART, "sh", "-c", 'exec "$@"', "sh"]);
    expect(await begun(second)).toBe("refused STORE_BUSY");
    expect(await commit(first)).toBe("committed");
  });

  it("G23, G6: behind a deleted lock.mdb the later one goes on, and the earlier one stops at its next commit", async () => {
    const first = start("hold", dir, [...APART, "sh", "-c", 'exec "$@"', "sh"]);
    await begun(first);
    expect(await commit(first)).toBe("committed");
    rmSync(join(dir, "lock.mdb"));
    const second = start("hold", dir, [...APART, "sh", "-c", 'exec "$@"', "sh"]);
    expect(await begun(second)).toBe("epoch 2");
    expect(await commit(first)).toBe("rejected STORE_REPLACED");
    expect(await commit(second)).toBe("committed");
  });
});

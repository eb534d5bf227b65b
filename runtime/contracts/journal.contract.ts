// Journal contract
// The requirements of the port Journal.
//
//   Owns:          the tests that a journal returns what was appended, unchanged and in order (PORTS-1), and is still the same
//                  journal after a restart (G3), as far as one process can show this.
//   Does not own:  the requirements after a crash (lmdb/crash.test.ts), and of a full journal (journal-full.contract.ts).

import assert from "node:assert/strict";
import { checkOptions } from "../errors/given-options.ts";
import { casesOf, claimsAbout, type ContractCase } from "./contract-case.ts";
import { FULL, MAX_BYTES } from "./journal-full.contract.ts";
import { type JournalContract, names, never, OpenJournal } from "./open-journal.ts";

const test = claimsAbout<OpenJournal>();

const ENTRIES = [
  test("PORTS-1: entries get dense positions from 1 and are read back in that order", async (open) => {
    assert.equal(open.now.tail(), 0);
    assert.deepEqual(await open.append(["a", "b"]), [1, 2]);
    assert.deepEqual(await open.append(["c"]), [3]);
    assert.deepEqual(
      (await open.entries()).map(({ position, body }) => [position, body]),
      open.said(["a", "b", "c"]).map((body, n) => [n + 1, body]),
    );
    assert.equal(open.now.tail(), 3);
  }),

  test("PORTS-1: an empty append appends nothing", async (open) => {
    assert.deepEqual(await open.now.append([]), []);
    assert.equal(open.now.tail(), 0);
  }),

  test("PORTS-1: a read gives at most its limit, from after its position", async (open) => {
    await open.append(names(10));
    assert.deepEqual(await open.bodies(0, 3), open.said(names(3)));
    assert.deepEqual(await open.bodies(3, 3), open.said(names(3, 4)));
    assert.deepEqual(await open.bodies(9, 3), open.said(["body 10"]));
  }),

  test("PORTS-1: bodies come back as they were given", async (open) => {
    const texts = [
      "",
      " ",
      " lead",
      "\0",
      "a\nb\r\n",
      "é日本😀",
      '{"specversion":"1.0"}',
      "y".repeat(2 << 20),
    ];
    await open.append(texts);
    await open.restart();
    const read = await open.bodies();
    // The test compares indexes, not the texts themselves, so that a failure does not print megabytes.
    const changed = open.said(texts).flatMap((text, index) => (read[index] === text ? [] : [index]));
    assert.deepEqual(changed, []);
  }),

  test("PORTS-1: a body that UTF-8 cannot carry is refused, and the whole append with it", async (open) => {
    await assert.rejects(open.now.append([...open.said(["good"]), "half \udc00 pair"]), { code: "BAD_TEXT" });
    assert.equal(open.now.tail(), 0);
    assert.deepEqual(await open.append(["next"]), [1]);
  }),

  test("PORTS-1: appends of many callers at once keep each caller's order, and return the positions that reads show", async (open) => {
    const calls = Array.from({ length: 200 }, (_, n) => [`${n} a`, `${n} b`, `${n} c`]);
    const positions = await Promise.all(calls.map(open.append));
    assert.deepEqual(
      positions.flat().toSorted((a, b) => a - b),
      Array.from({ length: 600 }, (_, n) => n + 1),
    );
    const found = new Map((await open.entries()).map(({ position, body }) => [position, body]));
    positions.forEach((of, n) => {
      assert.deepEqual(
        of.map((position) => found.get(position)),
        open.said(calls[n] ?? []),
      );
      assert.deepEqual(
        of,
        of.toSorted((a, b) => a - b),
      );
    });
  }),

  test("PORTS-1: entries are read again after a restart, and appending goes on behind them", async (open) => {
    await open.append(names(3));
    const before = await open.entries();
    const { incarnation } = await open.restart();
    assert.deepEqual(await open.restart({ incarnation, position: 2 }), { incarnation, position: 2 });
    assert.equal(open.now.tail(), 3);
    assert.deepEqual(await open.append(["body 4"]), [4]);
    const after = await open.entries();
    assert.deepEqual(after.slice(0, 3), before);
    assert.deepEqual(
      after.map(({ body }) => body),
      open.said(names(4)),
    );
  }),
];

const READING = [
  test("PORTS-1: an entry is read by its position, whoever else is reading; a position without an entry gives none", async (open) => {
    await open.append(names(3));
    const added = await open.entries();
    const waiting = open.now.read(3, 10, never);
    assert.deepEqual(await Promise.all([2, 1, 3].map((position) => open.now.entry(position))), [
      added[1],
      added[0],
      added[2],
    ]);
    assert.deepEqual(await Promise.all([0, 4].map((position) => open.now.entry(position))), [
      undefined,
      undefined,
    ]);
    await open.now.trim(1);
    assert.equal(await open.now.entry(1), undefined);
    assert.deepEqual(await open.now.entry(2), added[1]);
    await open.append(["body 4"]);
    assert.deepEqual(
      (await waiting).map(({ body }) => body),
      open.said(["body 4"]),
    );
  }),

  test("PORTS-1: a read waits for the next entry", async (open) => {
    await open.append(["old"]);
    const reads = [open.now.read(1, 10, never), open.now.read(1, 1, never), open.now.read(2, 10, never)];
    await open.append(["new"]);
    assert.deepEqual(
      (await reads[0])?.map(({ body }) => body),
      open.said(["new"]),
    );
    assert.deepEqual(
      (await reads[1])?.map(({ position }) => position),
      [2],
    );
    await open.append(["newer"]);
    assert.deepEqual(
      (await reads[2])?.map(({ body }) => body),
      open.said(["newer"]),
    );
  }),

  test("PORTS-1: an aborted read gives nothing, whether it waits or has yet to begin", async (open) => {
    const abort = new AbortController();
    const waiting = open.now.read(0, 10, abort.signal);
    abort.abort();
    assert.deepEqual(await waiting, []);
    await open.append(["entry"]);
    assert.deepEqual(await open.now.read(0, 10, abort.signal), []);
    assert.deepEqual(await open.bodies(), open.said(["entry"]));
  }),

  test("PORTS-1: closing ends a waiting read, and a closed journal takes nothing more", async (open) => {
    const waiting = open.now.read(0, 10, never);
    await open.now.close();
    assert.deepEqual(await waiting, []);
    await assert.rejects(open.append(["late"]), { code: "JOURNAL_CLOSED" });
    await assert.rejects(open.now.read(0, 1, never), { code: "JOURNAL_CLOSED" });
    await assert.rejects(open.now.entry(1), { code: "JOURNAL_CLOSED" });
  }),
];

const TRIMMING = [
  test("PORTS-1: trimmed entries are gone, the others stay, and positions go on", async (open) => {
    const { incarnation } = await open.restart();
    await open.append(names(10));
    await open.now.trim(4);
    assert.equal(open.now.tail(), 10);
    assert.deepEqual(await open.bodies(4), open.said(names(6, 5)));
    await open.now.trim(2);
    assert.deepEqual(await open.bodies(4), open.said(names(6, 5)));
    await open.restart({ incarnation, position: 4 });
    assert.deepEqual(await open.bodies(4), open.said(names(6, 5)));
  }),

  test("PORTS-1: a journal that was trimmed whole still counts on, also after a restart", async (open) => {
    await open.append(names(3));
    const { incarnation } = await open.restart();
    await open.now.trim(99);
    assert.equal(open.now.tail(), 3);
    await open.restart({ incarnation, position: 3 });
    assert.equal(open.now.tail(), 3);
    assert.deepEqual(await open.append(["body 4"]), [4]);
    assert.deepEqual(await open.bodies(3), open.said(["body 4"]));
  }),

  test("PORTS-1: thousands of entries are trimmed while others are appended", async (open) => {
    const { incarnation } = await open.restart();
    await open.append(names(3500));
    await Promise.all([
      open.now.trim(3200),
      open.append(["late 1"]),
      open.now.trim(1500),
      open.append(["late 2"]),
    ]);
    await open.restart({ incarnation, position: 3200 });
    assert.equal(open.now.tail(), 3502);
    assert.deepEqual((await open.bodies(3200)).slice(0, 300), open.said(names(300, 3201)));
    assert.deepEqual((await open.bodies(3500)).toSorted(), open.said(["late 1", "late 2"]));
  }),

  test("PORTS-1: reading a trimmed entry is an error, never a silent jump", async (open) => {
    await open.append(names(5));
    await open.now.trim(3);
    await assert.rejects(open.now.read(2, 10, never), { code: "JOURNAL_REGRESSED" });
  }),
];

const OPENING = [
  test("JOURNAL-TIME-1, LMDB-JOURNAL-2: an entry is stamped with the clock's time, before and after a restart, and if the clock goes back", async (open) => {
    const { clock } = open.disk;
    clock?.advance(5000);
    await open.append(["a"]);
    clock?.stepWall(-3000);
    await open.append(["b"]);
    const before = await open.entries();
    const { incarnation } = await open.restart();
    await open.now.trim(1);
    await open.restart({ incarnation, position: 1 });
    await open.append(["c"]);
    clock?.advance(3001);
    await open.append(["d"]);
    const stamps = [...before, ...(await open.entries(2))].map(({ at }) => at);
    const [at = 0] = stamps;
    if (clock) assert.deepEqual(stamps, [at, at - 3000, at - 3000, at + 1]);
    else
      assert.deepEqual(
        stamps,
        stamps.toSorted((a, b) => a - b),
      );
  }),

  test("G3: a journal keeps its incarnation over restarts, and no other has the same", async (open) => {
    const { incarnation } = await open.restart();
    await open.append(["a"]);
    assert.equal((await open.restart()).incarnation, incarnation);
    const other = await open.another();
    const otherJournal = await other.restart();
    assert.notEqual((await otherJournal.open(undefined)).incarnation, incarnation);
    await other.dispose?.();
  }),

  test("G3, JOURNAL-CURSOR-2: a fresh store begins before the first entry, and is refused if that entry was trimmed", async (open) => {
    assert.equal((await open.restart()).position, 0);
    await open.append(names(5));
    assert.equal((await open.restart()).position, 0);
    await open.now.trim(2);
    await assert.rejects(open.restart(), {
      code: "JOURNAL_REGRESSED",
      isSame: true,
      missing: [{ first: 1, last: 2 }],
    });
  }),

  test("G3: another journal, a shorter one and one with a gap after the cursor are refused", async (open) => {
    const { incarnation } = await open.restart();
    await open.append(names(5));
    await open.now.trim(3);
    const regressed = { code: "JOURNAL_REGRESSED", obligation: "stop" };
    for (const cursor of [
      { incarnation: "another", position: 4 },
      { incarnation, position: 6 },
      { incarnation, position: 2 },
    ]) {
      await assert.rejects(open.restart(cursor), regressed);
    }
    assert.deepEqual(await open.restart({ incarnation, position: 3 }), { incarnation, position: 3 });
    assert.deepEqual(await open.restart({ incarnation, position: 5 }), { incarnation, position: 5 });
  }),
];

/**
 * The claims that every journal must meet, with room and when full, each as a case for a test runner.
 * @throws RefusedError BAD_OPTION
 */
export function journalContract(options: JournalContract): readonly ContractCase[] {
  checkOptions("journalContract", options, { make: "a function!" });
  const life = (maxBytes?: number) => {
    const disk = async () => options.make(maxBytes);
    return {
      make: async () => new OpenJournal(await disk(), disk),
      begin: ({ restart }: OpenJournal) => restart(),
      end: async ({ disk }: OpenJournal) => disk.dispose?.(),
    };
  };
  return [
    ...casesOf([...ENTRIES, ...READING, ...TRIMMING, ...OPENING], life()),
    ...casesOf(FULL, life(MAX_BYTES)),
  ];
}

// Journal contract
// What every implementation of the port Journal does.
//
//   Owns:          the claims A1 and G3 as far as one process can show them.
//   Does not own:  crashes (lmdb.crash.test.ts).

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ManualClock } from "../../adapters/memory/index.ts";
import type { Journal } from "../../runtime/ports.ts";

export interface JournalDisk {
  /** The clock the journal stamps with. */
  readonly clock: ManualClock;
  /** The journal after a restart, not yet opened. What was open before is closed. */
  restart(): Promise<Journal>;
  dispose(): Promise<void>;
}

const never = new AbortController().signal;
const names = (count: number, from = 1) => Array.from({ length: count }, (_, n) => `body ${from + n}`);

export function journalContract(name: string, newDisk: () => Promise<JournalDisk>): void {
  describe(`${name} journal`, () => {
    let disk: JournalDisk;
    let journal: Journal;

    const restart = async (cursor?: Parameters<Journal["open"]>[0]) => {
      journal = await disk.restart();
      return journal.open(cursor);
    };
    const bodies = async (position = 0, limit = 100_000) =>
      (await journal.read(position, limit, never)).map(({ body }) => body);

    beforeEach(async () => {
      disk = await newDisk();
      await restart();
    });
    afterEach(() => disk.dispose());

    it("A1: entries get dense positions from 1 and are read back in that order", async () => {
      expect(journal.tail()).toBe(0);
      const first = await journal.append(["a", "b"]);
      const second = await journal.append(["c"]);
      expect([...first, ...second].map(({ position, body }) => [position, body])).toEqual([
        [1, "a"],
        [2, "b"],
        [3, "c"],
      ]);
      expect(await journal.read(0, 10, never)).toEqual([...first, ...second]);
      expect(journal.tail()).toBe(3);
    });

    it("A1: an empty append appends nothing", async () => {
      expect(await journal.append([])).toEqual([]);
      expect(journal.tail()).toBe(0);
    });

    it("A1: a read gives at most its limit, from after its position", async () => {
      await journal.append(names(10));
      expect(await bodies(0, 3)).toEqual(names(3));
      expect(await bodies(3, 3)).toEqual(names(3, 4));
      expect(await bodies(9, 3)).toEqual(["body 10"]);
    });

    it("A1: bodies come back as they were given", async () => {
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
      await journal.append(texts);
      await restart();
      let read: string[] = [];
      while (read.length < texts.length) read = [...read, ...(await bodies(read.length))];
      texts.forEach((text, index) => expect(read[index] === text, `text ${index}`).toBe(true));
    });

    it("A1: a body that UTF-8 cannot carry is refused, and the whole append with it", async () => {
      await expect(journal.append(["good", "half \udc00 pair"])).rejects.toMatchObject({ code: "BAD_TEXT" });
      expect(journal.tail()).toBe(0);
      expect(await journal.append(["next"])).toMatchObject([{ position: 1 }]);
    });

    it("A1: appends of many callers at once keep each caller's order and say the positions that are read", async () => {
      const calls = Array.from({ length: 200 }, (_, n) => [`${n} a`, `${n} b`, `${n} c`]);
      const said = await Promise.all(calls.map((call) => journal.append(call)));
      expect(said.flat()).toEqual(await journal.read(0, 1000, never));
      expect(said.map((call) => call.map(({ body }) => body))).toEqual(calls);
      expect(said.flat().map(({ position }) => position)).toEqual(
        Array.from({ length: 600 }, (_, n) => n + 1),
      );
    });

    it("A1: entries are read again after a restart, and appending goes on behind them", async () => {
      const before = await journal.append(names(3));
      const { incarnation } = await restart();
      expect(await restart({ incarnation, position: 2 })).toEqual({ incarnation, position: 2 });
      expect(journal.tail()).toBe(3);
      const after = await journal.append(["body 4"]);
      expect(await journal.read(0, 10, never)).toEqual([...before, ...after]);
      expect(after).toMatchObject([{ position: 4 }]);
    });

    it("A1: one entry is read by its position, whoever else is reading; none where there is none", async () => {
      const waiting = journal.read(3, 10, never);
      const added = await journal.append(names(3));
      expect(await Promise.all([2, 1, 3].map((position) => journal.entry(position)))).toEqual([
        added[1],
        added[0],
        added[2],
      ]);
      expect(await Promise.all([0, 4].map((position) => journal.entry(position)))).toEqual([
        undefined,
        undefined,
      ]);
      await journal.trim(1);
      expect(await journal.entry(1)).toBeUndefined();
      expect(await journal.entry(2)).toEqual(added[1]);
      await journal.append(["body 4"]);
      expect((await waiting).map(({ body }) => body)).toEqual(["body 4"]);
    });

    it("A1: a read waits for the next entry", async () => {
      await journal.append(["old"]);
      const reads = [journal.read(1, 10, never), journal.read(1, 1, never), journal.read(2, 10, never)];
      await journal.append(["new"]);
      expect((await reads[0])?.map(({ body }) => body)).toEqual(["new"]);
      expect((await reads[1])?.map(({ position }) => position)).toEqual([2]);
      await journal.append(["newer"]);
      expect((await reads[2])?.map(({ body }) => body)).toEqual(["newer"]);
    });

    it("A1: an aborted read gives nothing, whether it waits or has yet to begin", async () => {
      const abort = new AbortController();
      const waiting = journal.read(0, 10, abort.signal);
      abort.abort();
      expect(await waiting).toEqual([]);
      await journal.append(["entry"]);
      expect(await journal.read(0, 10, abort.signal)).toEqual([]);
      expect(await bodies()).toEqual(["entry"]);
    });

    it("A1: closing ends a waiting read, and a closed journal takes nothing more", async () => {
      const waiting = journal.read(0, 10, never);
      await journal.close();
      expect(await waiting).toEqual([]);
      await expect(journal.append(["late"])).rejects.toMatchObject({ code: "JOURNAL_CLOSED" });
      await expect(journal.read(0, 1, never)).rejects.toMatchObject({ code: "JOURNAL_CLOSED" });
      await expect(journal.entry(1)).rejects.toMatchObject({ code: "JOURNAL_CLOSED" });
    });

    it("A1: entries that were let go are gone, the others stay, and positions go on", async () => {
      await journal.append(names(10));
      await journal.trim(4);
      expect(journal.tail()).toBe(10);
      expect(await bodies(4)).toEqual(names(6, 5));
      await journal.trim(2);
      expect(await bodies(4)).toEqual(names(6, 5));
      const { incarnation } = await restart();
      await restart({ incarnation, position: 4 });
      expect(await bodies(4)).toEqual(names(6, 5));
    });

    it("A1: a journal that let go of everything still counts on, after a restart too", async () => {
      await journal.append(names(3));
      await journal.trim(99);
      expect(journal.tail()).toBe(3);
      await restart();
      expect(journal.tail()).toBe(3);
      expect(await journal.append(["body 4"])).toMatchObject([{ position: 4 }]);
      expect(await bodies(3)).toEqual(["body 4"]);
    });

    it("A1: thousands of entries are let go while others are appended", async () => {
      await journal.append(names(3500));
      await Promise.all([
        journal.trim(3200),
        journal.append(["late 1"]),
        journal.trim(1500),
        journal.append(["late 2"]),
      ]);
      await restart();
      expect(journal.tail()).toBe(3502);
      expect(await bodies(3200)).toEqual([...names(300, 3201), "late 1", "late 2"]);
    });

    it("A1: reading what was let go is an error, never a silent jump", async () => {
      await journal.append(names(5));
      await journal.trim(3);
      await expect(journal.read(2, 10, never)).rejects.toMatchObject({ code: "JOURNAL_REGRESSED" });
    });

    it("A1: stamps never go back when the clock does, after a restart and with nothing kept too", async () => {
      disk.clock.advance(5000);
      const [first] = await journal.append(["a"]);
      disk.clock.stepWall(-3000);
      const [second] = await journal.append(["b"]);
      await journal.trim(2);
      await restart();
      const [third] = await journal.append(["c"]);
      disk.clock.advance(3001);
      const [fourth] = await journal.append(["d"]);
      const at = first!.at;
      expect([second!.at, third!.at, fourth!.at]).toEqual([at, at, at + 1]);
      expect((await journal.read(2, 10, never)).map((entry) => entry.at)).toEqual([at, at + 1]);
    });

    it("G3: a journal keeps its incarnation over restarts, and no other has the same", async () => {
      const { incarnation } = await restart();
      await journal.append(["a"]);
      expect((await restart()).incarnation).toBe(incarnation);
      const other = await newDisk();
      const otherJournal = await other.restart();
      expect((await otherJournal.open(undefined)).incarnation).not.toBe(incarnation);
      await other.dispose();
    });

    it("G3: a fresh store begins before the oldest entry that is kept", async () => {
      expect((await restart()).position).toBe(0);
      await journal.append(names(5));
      expect((await restart()).position).toBe(0);
      await journal.trim(2);
      expect((await restart()).position).toBe(2);
    });

    it("G3: another journal, a shorter one and one with a gap after the cursor are refused", async () => {
      const { incarnation } = await restart();
      await journal.append(names(5));
      await journal.trim(3);
      const regressed = { code: "JOURNAL_REGRESSED", obligation: "stop" };
      for (const cursor of [
        { incarnation: "another", position: 4 },
        { incarnation, position: 6 },
        { incarnation, position: 2 },
      ]) {
        await expect(restart(cursor)).rejects.toMatchObject(regressed);
      }
      expect(await restart({ incarnation, position: 3 })).toEqual({ incarnation, position: 3 });
      expect(await restart({ incarnation, position: 5 })).toEqual({ incarnation, position: 5 });
    });
  });
}

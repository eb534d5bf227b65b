// Journal contract
// What every implementation of the port Journal does.
//
//   Owns:          the claims PORTS-1 and G3 as far as one process can show them.
//   Does not own:  crashes (lmdb/crash.test.ts).

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ManualClock } from "../../support/engine/manual-clock.ts";
import type { Journal, JournalEntry } from "../../../runtime/ports.ts";

export interface JournalDisk {
  /** The clock the journal stamps with; absent where it is not ours. */
  readonly clock?: ManualClock;
  /** What is journalled, where that has to be a message: any text as one. */
  readonly body?: (text: string) => string;
  /** Whether it keeps room that only own words may fill; one that others publish to cannot. */
  readonly keepsRoom?: boolean;
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
    const said = (texts: readonly string[]) => texts.map(disk.body ?? ((text: string) => text));
    const append = (texts: readonly string[]) => journal.append(said(texts));
    /** A read may give less than there is. */
    const entries = async (position = 0, limit = 100_000) => {
      const found: JournalEntry[] = [];
      for (let at = position; found.length < limit && at < journal.tail(); at = found.at(-1)!.position)
        found.push(...(await journal.read(at, limit - found.length, never)));
      return found;
    };
    const bodies = async (position = 0, limit = 100_000) =>
      (await entries(position, limit)).map(({ body }) => body);

    beforeEach(async () => {
      disk = await newDisk();
      await restart();
    });
    afterEach(() => disk.dispose());

    it("PORTS-1: entries get dense positions from 1 and are read back in that order", async () => {
      expect(journal.tail()).toBe(0);
      expect(await append(["a", "b"])).toEqual([1, 2]);
      expect(await append(["c"])).toEqual([3]);
      expect((await entries()).map(({ position, body }) => [position, body])).toEqual(
        said(["a", "b", "c"]).map((body, n) => [n + 1, body]),
      );
      expect(journal.tail()).toBe(3);
    });

    it("PORTS-1: an empty append appends nothing", async () => {
      expect(await journal.append([])).toEqual([]);
      expect(journal.tail()).toBe(0);
    });

    it("PORTS-1: a read gives at most its limit, from after its position", async () => {
      await append(names(10));
      expect(await bodies(0, 3)).toEqual(said(names(3)));
      expect(await bodies(3, 3)).toEqual(said(names(3, 4)));
      expect(await bodies(9, 3)).toEqual(said(["body 10"]));
    });

    it("PORTS-1: bodies come back as they were given", async () => {
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
      await append(texts);
      await restart();
      const read = await bodies();
      said(texts).forEach((text, index) => expect(read[index] === text, `text ${index}`).toBe(true));
    });

    it("PORTS-1: a body that UTF-8 cannot carry is refused, and the whole append with it", async () => {
      await expect(journal.append([...said(["good"]), "half \udc00 pair"])).rejects.toMatchObject({
        code: "BAD_TEXT",
      });
      expect(journal.tail()).toBe(0);
      expect(await append(["next"])).toEqual([1]);
    });

    it("PORTS-1: appends of many callers at once keep each caller's order and say the positions that are read", async () => {
      const calls = Array.from({ length: 200 }, (_, n) => [`${n} a`, `${n} b`, `${n} c`]);
      const positions = await Promise.all(calls.map(append));
      expect(positions.flat().toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 600 }, (_, n) => n + 1),
      );
      const found = new Map((await entries()).map(({ position, body }) => [position, body]));
      positions.forEach((of, n) => {
        expect(of.map((position) => found.get(position))).toEqual(said(calls[n]!));
        expect(of).toEqual(of.toSorted((a, b) => a - b));
      });
    });

    it("PORTS-1: entries are read again after a restart, and appending goes on behind them", async () => {
      await append(names(3));
      const before = await entries();
      const { incarnation } = await restart();
      expect(await restart({ incarnation, position: 2 })).toEqual({ incarnation, position: 2 });
      expect(journal.tail()).toBe(3);
      expect(await append(["body 4"])).toEqual([4]);
      const after = await entries();
      expect(after.slice(0, 3)).toEqual(before);
      expect(after.map(({ body }) => body)).toEqual(said(names(4)));
    });

    it("PORTS-1: one entry is read by its position, whoever else is reading; none where there is none", async () => {
      await append(names(3));
      const added = await entries();
      const waiting = journal.read(3, 10, never);
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
      await append(["body 4"]);
      expect((await waiting).map(({ body }) => body)).toEqual(said(["body 4"]));
    });

    it("PORTS-1: a read waits for the next entry", async () => {
      await append(["old"]);
      const reads = [journal.read(1, 10, never), journal.read(1, 1, never), journal.read(2, 10, never)];
      await append(["new"]);
      expect((await reads[0])?.map(({ body }) => body)).toEqual(said(["new"]));
      expect((await reads[1])?.map(({ position }) => position)).toEqual([2]);
      await append(["newer"]);
      expect((await reads[2])?.map(({ body }) => body)).toEqual(said(["newer"]));
    });

    it("PORTS-1: an aborted read gives nothing, whether it waits or has yet to begin", async () => {
      const abort = new AbortController();
      const waiting = journal.read(0, 10, abort.signal);
      abort.abort();
      expect(await waiting).toEqual([]);
      await append(["entry"]);
      expect(await journal.read(0, 10, abort.signal)).toEqual([]);
      expect(await bodies()).toEqual(said(["entry"]));
    });

    it("PORTS-1: closing ends a waiting read, and a closed journal takes nothing more", async () => {
      const waiting = journal.read(0, 10, never);
      await journal.close();
      expect(await waiting).toEqual([]);
      await expect(append(["late"])).rejects.toMatchObject({ code: "JOURNAL_CLOSED" });
      await expect(journal.read(0, 1, never)).rejects.toMatchObject({ code: "JOURNAL_CLOSED" });
      await expect(journal.entry(1)).rejects.toMatchObject({ code: "JOURNAL_CLOSED" });
    });

    it("PORTS-1: entries that were let go are gone, the others stay, and positions go on", async () => {
      const { incarnation } = await restart();
      await append(names(10));
      await journal.trim(4);
      expect(journal.tail()).toBe(10);
      expect(await bodies(4)).toEqual(said(names(6, 5)));
      await journal.trim(2);
      expect(await bodies(4)).toEqual(said(names(6, 5)));
      await restart({ incarnation, position: 4 });
      expect(await bodies(4)).toEqual(said(names(6, 5)));
    });

    it("PORTS-1: a journal that let go of everything still counts on, after a restart too", async () => {
      await append(names(3));
      const { incarnation } = await restart();
      await journal.trim(99);
      expect(journal.tail()).toBe(3);
      await restart({ incarnation, position: 3 });
      expect(journal.tail()).toBe(3);
      expect(await append(["body 4"])).toEqual([4]);
      expect(await bodies(3)).toEqual(said(["body 4"]));
    });

    it("PORTS-1: thousands of entries are let go while others are appended", async () => {
      const { incarnation } = await restart();
      await append(names(3500));
      await Promise.all([journal.trim(3200), append(["late 1"]), journal.trim(1500), append(["late 2"])]);
      await restart({ incarnation, position: 3200 });
      expect(journal.tail()).toBe(3502);
      expect((await bodies(3200)).slice(0, 300)).toEqual(said(names(300, 3201)));
      expect((await bodies(3500)).toSorted()).toEqual(said(["late 1", "late 2"]));
    });

    it("PORTS-1: reading what was let go is an error, never a silent jump", async () => {
      await append(names(5));
      await journal.trim(3);
      await expect(journal.read(2, 10, never)).rejects.toMatchObject({ code: "JOURNAL_REGRESSED" });
    });

    it("JOURNAL-TIME-1, LMDB-JOURNAL-2: an entry is stamped with what the clock says, before and after a restart, back too", async () => {
      const { clock } = disk;
      clock?.advance(5000);
      await append(["a"]);
      clock?.stepWall(-3000);
      await append(["b"]);
      const before = await entries();
      const { incarnation } = await restart();
      await journal.trim(1);
      await restart({ incarnation, position: 1 });
      await append(["c"]);
      clock?.advance(3001);
      await append(["d"]);
      const stamps = [...before, ...(await entries(2))].map(({ at }) => at);
      const at = stamps[0]!;
      if (clock) expect(stamps).toEqual([at, at - 3000, at - 3000, at + 1]);
      else expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
    });

    it("G3: a journal keeps its incarnation over restarts, and no other has the same", async () => {
      const { incarnation } = await restart();
      await append(["a"]);
      expect((await restart()).incarnation).toBe(incarnation);
      const other = await newDisk();
      const otherJournal = await other.restart();
      expect((await otherJournal.open(undefined)).incarnation).not.toBe(incarnation);
      await other.dispose();
    });

    it("G3, JOURNAL-CURSOR-2: a fresh store begins before the first entry; where that was let go, it is refused", async () => {
      expect((await restart()).position).toBe(0);
      await append(names(5));
      expect((await restart()).position).toBe(0);
      await journal.trim(2);
      await expect(restart()).rejects.toMatchObject({
        code: "JOURNAL_REGRESSED",
        isSame: true,
        missing: [{ first: 1, last: 2 }],
        message: expect.stringContaining("1–2 (2 in all)") as string,
        next: expect.stringContaining("signalbox up --adopt-journal") as string,
      });
    });

    it("G3: another journal, a shorter one and one with a gap after the cursor are refused", async () => {
      const { incarnation } = await restart();
      await append(names(5));
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

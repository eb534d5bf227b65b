// Journal, full
// What every implementation of the port Journal does when it is full.
//
//   Owns:          the claims TRIMMING-6, JOURNAL-ROOM-1, JOURNAL-ROOM-2 and LMDB-JOURNAL-4.
//   Does not own:  what a journal with room does (journal.contract.ts), what may go (pressure.test.ts).

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Journal } from "../../../runtime/ports.ts";
import type { JournalDisk } from "./journal.contract.ts";

const MAX = 400_000;
const long = "x".repeat(10_000);
const never = new AbortController().signal;
const names = (count: number) => Array.from({ length: count }, (_, n) => `body ${n + 1}`);

/** @param newDisk its journal holds at most `max` bytes. */
export function fullJournalContract(name: string, newDisk: (max: number) => Promise<JournalDisk>): void {
  describe(`${name} journal, full`, () => {
    let disk: JournalDisk;
    let journal: Journal;

    const restart = async (cursor?: Parameters<Journal["open"]>[0]) => {
      journal = await disk.restart();
      return journal.open(cursor);
    };
    const said = (texts: readonly string[]) => texts.map(disk.body ?? ((text: string) => text));
    const append = (texts: readonly string[]) => journal.append(said(texts));
    const bodies = async (position = 0, limit = 100_000) => {
      const found: string[] = [];
      while (found.length < limit && position + found.length < journal.tail())
        for (const { body } of await journal.read(position + found.length, limit - found.length, never))
          found.push(body);
      return found;
    };

    beforeEach(async () => {
      disk = await newDisk(MAX);
      await restart();
    });
    afterEach(() => disk.dispose());

    /** Appends until it is full. @returns how many it took. */
    const fill = async () => {
      for (let taken = 0; taken < 1_000; taken += 1) {
        const refused = await append([long]).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (refused === undefined) continue;
        expect(refused).toMatchObject({ code: "JOURNAL_FULL", obligation: "retry" });
        return taken;
      }
      throw new Error("It never was full.");
    };
    const own = (text: string, makeRoom?: () => Promise<boolean>) =>
      journal.append(said([text]), { own: true, ...(makeRoom && { makeRoom }) });
    const letGo = (upTo: number) => async () => {
      await journal.trim(upTo);
      return true;
    };

    it("JOURNAL-ROOM-2: it refuses with JOURNAL_FULL; what it took stays, what it refused is not there", async () => {
      const taken = await fill();
      expect(taken).toBeGreaterThan(20);
      expect(await bodies()).toEqual(said(Array.from({ length: taken }, () => long)));
      await restart();
      await expect(append([long])).rejects.toMatchObject({ code: "JOURNAL_FULL" });
      expect(journal.tail()).toBe(taken);
      await journal.trim(2);
      expect(await append([long])).toEqual([taken + 1]);
    });

    it("TRIMMING-6: an own word is taken in once room was made, however many sources wait", async () => {
      const taken = await fill();
      const waiting = Array.from({ length: 5 }, () => append([long]).catch(() => undefined));
      // So long that no journal has room for it without letting go.
      const word = `own ${"y".repeat(60_000)}`;
      // Waiting sources may take the room before the word does: as in the engine, each request lets go of more.
      let upTo = 0;
      const [position] = await own(word, () => letGo((upTo += 10))());
      await Promise.all(waiting);
      expect(position).toBeGreaterThan(taken);
      expect(await bodies(position! - 1, 1)).toEqual(said([word]));
    });

    it("JOURNAL-ROOM-2: a source's message is taken in, too, where room can be made; where nothing may go it is refused", async () => {
      const taken = await fill();
      const asked: string[] = [];
      const nothing = () => {
        asked.push("asked");
        return Promise.resolve(false);
      };
      await expect(journal.append(said([long]), { makeRoom: nothing })).rejects.toMatchObject({
        code: "JOURNAL_FULL",
      });
      expect(asked.length).toBeGreaterThan(0);
      expect(await journal.append(said([long]), { makeRoom: letGo(3) })).toEqual([taken + 1]);
    });

    it("JOURNAL-ROOM-2: those that wait for room find it in their order", async () => {
      const taken = await fill();
      let isFree = (): void => undefined;
      const free = new Promise<void>((resolve) => (isFree = resolve));
      const makeRoom = async () => {
        await free;
        return letGo(20)();
      };
      const texts = names(5).map((text) => `${text} ${long}`);
      const first = journal.append(said(texts.slice(0, 1)), { makeRoom });
      const others = texts.slice(1).map((text) => journal.append(said([text]), { makeRoom }));
      isFree();
      const positions = (await Promise.all([first, ...others])).flat();
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      expect(await bodies(taken)).toEqual(said(texts));
    });

    it("LMDB-JOURNAL-4: it tells how full it is, and knows after a restart", async () => {
      expect(await journal.fill()).toEqual({ bytes: 0, max: MAX });
      await append(names(3).map((text) => `${text} ${long}`));
      const { bytes } = await journal.fill();
      expect(bytes).toBeGreaterThan(30_000);
      expect(bytes).toBeLessThan(40_000);
      const { incarnation } = await restart();
      expect(await journal.fill()).toEqual({ bytes, max: MAX });
      await journal.trim(2);
      expect((await journal.fill()).bytes).toBeLessThan(bytes / 2);
      await restart({ incarnation, position: 3 });
      expect((await journal.fill()).bytes).toBeGreaterThan(10_000);
      await journal.trim(3);
      expect(await journal.fill()).toEqual({ bytes: 0, max: MAX });
    });

    it("JOURNAL-ROOM-1: of a journal of ours sources leave a part to own words, which need not ask", async () => {
      if (disk.keepsRoom !== true) return;
      const taken = await fill();
      for (let n = 1; n <= 40; n += 1) expect(await own(`own ${n}`)).toEqual([taken + n]);
      await expect(append(["a"])).resolves.toBeDefined();
      await expect(append([long])).rejects.toMatchObject({ code: "JOURNAL_FULL" });
      await expect(
        (async () => {
          for (let n = 0; n < 100; n += 1) await own(long);
        })(),
      ).rejects.toMatchObject({ code: "JOURNAL_FULL" });
      expect((await journal.fill()).bytes).toBeLessThanOrEqual(MAX);
    });
  });
}

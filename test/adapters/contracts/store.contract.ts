// Store contract
// What every implementation of the port Store does.
//
//   Owns:          the claims PORTS-2, PORTS-3, G3 and G6 as far as one process can show them.
//   Does not own:  crashes and failing disks (lmdb/crash.test.ts).

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store, Write } from "../../../runtime/ports.ts";

export interface StoreDisk {
  /** A store on this disk, not yet opened: as after a restart. */
  store(): Store;
  dispose(): Promise<void>;
}

const put = (key: string, value = key): Write => ({ put: key, value });
const ALL = { gte: "", lt: "\x7f" };

export function storeContract(name: string, newDisk: () => Promise<StoreDisk>): void {
  describe(`${name} store`, () => {
    let disk: StoreDisk;
    let store: Store;

    const rows = (range = ALL, from = store) => [...from.range(range)];
    const keys = (range: Parameters<Store["range"]>[0]) => [...store.range(range)].map(([key]) => key);

    beforeEach(async () => {
      disk = await newDisk();
      store = disk.store();
      await store.open();
    });
    afterEach(() => disk.dispose());

    it("PORTS-2: what was committed is read, by key and in key order", async () => {
      await store.commit([put("b", "2"), put("a", "1"), put("c", "3")]);
      expect(store.get("b")).toBe("2");
      expect(store.get("B")).toBeUndefined();
      expect(rows()).toEqual([
        ["a", "1"],
        ["b", "2"],
        ["c", "3"],
      ]);
    });

    it("PORTS-2: the writes of a commit are applied in their order", async () => {
      await store.commit([
        put("a", "old"),
        put("gone"),
        put("a", "new"),
        { del: "gone" },
        { del: "back" },
        put("back"),
      ]);
      expect(rows()).toEqual([
        ["a", "new"],
        ["back", "back"],
      ]);
    });

    it("PORTS-2: an empty commit and the removal of a missing row change nothing", async () => {
      await store.commit([put("a")]);
      await store.commit([]);
      await store.commit([{ del: "missing" }]);
      expect(rows()).toEqual([["a", "a"]]);
    });

    it("PORTS-2: a range takes in its lower bound and leaves out its upper one, both ways", async () => {
      const all = [" ", "a", "a ", "a/", "a/1", "a/1/x", "a/10", "a/2", "a0", "b", "~"];
      await store.commit(all.map((key) => put(key)));
      expect(keys(ALL)).toEqual(all);
      expect(keys({ gte: "a/", lt: "a0" })).toEqual(["a/", "a/1", "a/1/x", "a/10", "a/2"]);
      expect(keys({ gte: "a/", lt: "a0", reverse: true })).toEqual(["a/2", "a/10", "a/1/x", "a/1", "a/"]);
      expect(keys({ gte: "a/1/", lt: "a/10" })).toEqual(["a/1/x"]);
      expect(keys({ gte: "a/1", lt: "a/1", reverse: true })).toEqual([]);
      expect(keys({ gte: "b", lt: "a" })).toEqual([]);
      expect(keys({ gte: "c", lt: "d", reverse: true })).toEqual([]);
      expect(keys({ gte: "~", lt: "\x7f" })).toEqual(["~"]);
    });

    it("PORTS-2: a limit counts from the end the range is read from", async () => {
      await store.commit(["a", "b", "c", "d"].map((key) => put(key)));
      expect(keys({ ...ALL, limit: 2 })).toEqual(["a", "b"]);
      expect(keys({ ...ALL, limit: 2, reverse: true })).toEqual(["d", "c"]);
      expect(keys({ gte: "b", lt: "d", limit: 1, reverse: true })).toEqual(["c"]);
      expect(keys({ ...ALL, limit: 0 })).toEqual([]);
      expect(keys({ ...ALL, limit: 9 })).toHaveLength(4);
    });

    it("PORTS-2: any commits leave what a plain map would hold, and any range reads it in byte order", async () => {
      const key = fc.string({
        unit: fc.constantFrom(" ", "/", "a", "~"),
        minLength: 1,
        maxLength: 3,
      });
      const write = fc.oneof(
        fc.record({ put: key, value: fc.string({ unit: "grapheme" }) }),
        fc.record({ del: key }),
      );
      const range = fc.record({ gte: key, lt: key, limit: fc.nat(5), reverse: fc.boolean() });
      const commits = fc.array(fc.array(write, { maxLength: 20 }), { maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(commits, fc.array(range, { maxLength: 8 }), async (groups, ranges) => {
          await store.commit(rows().map(([del]) => ({ del })));
          const model = new Map<string, string>();
          for (const group of groups) {
            await store.commit(group);
            for (const one of group) {
              if ("put" in one) model.set(one.put, one.value);
              else model.delete(one.del);
            }
          }
          const sorted = [...model].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
          expect(rows()).toEqual(sorted);
          for (const { gte, lt, limit, reverse } of ranges) {
            const inside = sorted.filter(([k]) => k >= gte && k < lt);
            if (reverse) inside.reverse();
            expect([...store.range({ gte, lt, limit, reverse })]).toEqual(inside.slice(0, limit));
          }
        }),
        { numRuns: 60 },
      );
    });

    it("PORTS-2: ten thousand rows, put in a scattered order and thinned out again, stay in order", async () => {
      const key = (n: number) => `row/${String((n * 7919) % 10_000).padStart(5, "0")}`;
      await store.commit(Array.from({ length: 10_000 }, (_, n) => put(key(n))));
      await store.commit(
        Array.from({ length: 5_000 }, (_, n) => ({ del: `row/${String(n * 2).padStart(5, "0")}` })),
      );
      const odd = Array.from({ length: 5_000 }, (_, n) => `row/${String(n * 2 + 1).padStart(5, "0")}`);
      expect(keys(ALL)).toEqual(odd);
      expect(keys({ ...ALL, reverse: true })).toEqual(odd.reverse());
    });

    it.each([
      ["empty", ""],
      ["1,001 bytes long", "k".repeat(1001)],
      ["not ASCII", "schlüssel"],
      ["a control character", "a\nb"],
      ["a NUL", "a\0b"],
    ])(
      "PORTS-2, TRANSACTION-2, WRITES-1: a commit with one bad key in the middle (%s) is refused before anything is applied",
      async (_, bad) => {
        await store.commit([put("a", "old")]);
        await expect(store.commit([put("a", "new"), put(bad), put("z")])).rejects.toMatchObject({
          code: "BAD_KEY",
        });
        await expect(store.commit([put("a", "new"), { del: bad }])).rejects.toMatchObject({
          code: "BAD_KEY",
        });
        expect(rows()).toEqual([["a", "old"]]);
        await store.commit([put("k".repeat(1000), "longest")]);
        expect(store.get("k".repeat(1000))).toBe("longest");
      },
    );

    it("PORTS-2, WRITES-2: a commit with text that UTF-8 cannot carry is refused before anything is applied", async () => {
      await expect(store.commit([put("a"), put("b", "half \ud83d pair")])).rejects.toMatchObject({
        code: "BAD_TEXT",
      });
      expect(rows()).toEqual([]);
    });

    it("PORTS-2: text comes back as it was given", async () => {
      const texts = [
        "",
        " ",
        "\0",
        "a\0b",
        "\r\n",
        "é",
        "日本",
        "😀",
        '{"a":"\\u0000"}',
        "x".repeat(3 << 20),
        "ü😀".repeat(50_000),
      ];
      await store.commit(texts.map((text, index) => put(`t/${index}`, text)));
      texts.forEach((text, index) => expect(store.get(`t/${index}`) === text, `text ${index}`).toBe(true));
      expect(rows().every(([key, value]) => value === texts[Number(key.slice(2))])).toBe(true);
    });

    it("PORTS-2, SORTED-ROWS-1: a range that is being read shows the rows as they were when reading began", async () => {
      await store.commit(["a", "b", "c"].map((key) => put(key, "old")));
      const reading = store.range(ALL)[Symbol.iterator]();
      expect(reading.next().value).toEqual(["a", "old"]);
      await store.commit([put("b", "new"), { del: "c" }, put("d", "new")]);
      const rest = [reading.next(), reading.next(), reading.next()];
      expect(rest.map(({ value }) => value as unknown)).toEqual([["b", "old"], ["c", "old"], undefined]);
      expect(rows()).toEqual([
        ["a", "old"],
        ["b", "new"],
        ["d", "new"],
      ]);
    });

    it("PORTS-2: ranges that are left early do not disturb later ones", async () => {
      await store.commit(Array.from({ length: 600 }, (_, n) => put(`k${1000 + n}`)));
      for (let round = 0; round < 300; round++) {
        for (const [key] of store.range(ALL)) {
          expect(key).toBe("k1000");
          break;
        }
        await store.commit([put("z", String(round))]);
      }
      expect(rows()).toHaveLength(601);
    });

    it("PORTS-2: commits that are handed in at once are all kept, the later over the earlier", async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, n) => store.commit([put("last", String(n)), put(`n/${n}`)])),
      );
      expect(store.get("last")).toBe("49");
      expect(rows({ gte: "n/", lt: "n0" })).toHaveLength(50);
    });

    it("G3: what was committed is there after a restart, and nothing else", async () => {
      await store.commit([put("a"), put("b")]);
      await store.commit([{ del: "a" }]);
      await store.close();
      store = disk.store();
      await store.open();
      expect(rows()).toEqual([["b", "b"]]);
    });

    it("PORTS-3: every opening gives the epoch after the last one", async () => {
      await store.close();
      const epochs: number[] = [];
      for (let round = 0; round < 3; round++) {
        store = disk.store();
        epochs.push(await store.open());
        await store.close();
      }
      expect(epochs).toEqual([2, 3, 4]);
    });

    it("PORTS-3, G6: once a second has opened the store, every commit of the first fails and changes nothing", async () => {
      await store.commit([put("a", "first")]);
      const second = disk.store();
      expect(await second.open()).toBe(2);
      for (let round = 0; round < 2; round++) {
        await expect(store.commit([put("a", "late")])).rejects.toMatchObject({
          code: "STORE_FENCED",
          obligation: "stop",
        });
      }
      expect(second.get("a")).toBe("first");
      await second.commit([put("a", "second")]);
      await expect(store.commit([put("a", "late")])).rejects.toMatchObject({ code: "STORE_FENCED" });
      expect(rows(ALL, second)).toEqual([["a", "second"]]);
      await second.close();
    });

    it("PORTS-3: a store that is not open neither reads nor writes", async () => {
      await store.close();
      const never = disk.store();
      for (const shut of [store, never]) {
        expect(() => shut.get("a")).toThrow(expect.objectContaining({ code: "STORE_CLOSED" }));
        expect(() => rows(ALL, shut)).toThrow(expect.objectContaining({ code: "STORE_CLOSED" }));
        await expect(shut.commit([put("a")])).rejects.toMatchObject({ code: "STORE_CLOSED" });
      }
    });
  });
}

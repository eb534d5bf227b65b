// Queries: paging
// How much a page may read, and that the pages together are the list.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { type Page, page, rowsUnder } from "../../../runtime/reading/paging.ts";
import type { Range, Store } from "../../../runtime/ports.ts";
import type { Address } from "../../../machines/index.ts";

const LIST = keys.list(["request", "all"]);
const key = (n: number): string => keys.listed(["request", "all"], n, `w/s/request/r${n}` as Address);

async function storeOf(numbers: readonly number[]): Promise<MemoryStore> {
  const store = new MemoryStore(new MemoryDisk("j"));
  await store.open();
  await store.commit(numbers.map((n) => ({ put: key(n), value: JSON.stringify(n) })));
  return store;
}

/** Counts the rows that are read. */
function counting(store: Store): { readonly store: Pick<Store, "range">; rows: number } {
  const counted = {
    rows: 0,
    store: {
      *range(range: Range) {
        for (const row of store.range(range)) {
          counted.rows += 1;
          yield row;
        }
      },
    },
  };
  return counted;
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

const unreadable = (place: string): never => expect.fail(place);

describe("PAGING-1, PAGING-2: pages", () => {
  it("PAGING-1, G52: a page reads a thousand rows and looks at one more, however few of them match", async () => {
    const counted = counting(await storeOf(upTo(2_500)));
    const rows = rowsUnder(counted.store, LIST);
    const seen: number[] = [];
    let cursor: string | undefined;
    const reads: number[] = [];
    do {
      const before = counted.rows;
      const fits = (text: string) => (Number(text) % 1_200 === 0 ? Number(text) : undefined);
      const found: Page<number> = page(rows, cursor === undefined ? {} : { cursor }, fits, unreadable);
      reads.push(counted.rows - before);
      seen.push(...found.items);
      cursor = found.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual([2_400, 1_200, 0]);
    expect(reads).toEqual([1_001, 1_001, 500]);
  });

  it("PAGING-1: a full page reads one row more than it shows, to know whether there is another page", async () => {
    const counted = counting(await storeOf(upTo(500)));
    expect(page(rowsUnder(counted.store, LIST), { limit: 20 }, Number, unreadable).items).toHaveLength(20);
    expect(counted.rows).toBe(21);
  });

  it("PAGING-2: rows that existed from the first page to the last are shown once, whatever comes and goes in between", async () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(
        numbers,
        numbers,
        numbers,
        fc.integer({ min: 1, max: 30 }),
        async (kept, gone, come, limit) => {
          const going = gone.filter((n) => !kept.includes(n));
          const coming = come.filter((n) => !kept.includes(n));
          const store = await storeOf([...kept, ...going]);
          const seen: number[] = [];
          let cursor: string | undefined;
          let turn = 0;
          do {
            const found: Page<number> = page(
              rowsUnder(store, LIST),
              cursor === undefined ? { limit } : { limit, cursor },
              Number,
              unreadable,
            );
            seen.push(...found.items);
            cursor = found.nextCursor;
            const [away, here] = [going[turn], coming[turn]];
            if (away !== undefined) await store.commit([{ del: key(away) }]);
            if (here !== undefined) await store.commit([{ put: key(here), value: JSON.stringify(here) }]);
            turn += 1;
          } while (cursor !== undefined);
          expect(seen.filter((n) => kept.includes(n))).toEqual([...kept].sort((a, b) => b - a));
          expect(new Set(seen).size).toBe(seen.length);
        },
      ),
      { numRuns: 60 },
    );
  });
});

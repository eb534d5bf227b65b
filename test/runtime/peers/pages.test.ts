// Pages
// The pages of several engines, merged, against one list of all items that is sorted at once.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Item, mergePages, type Part, shortParts } from "../../../runtime/peers/pages.ts";
import { page, type Rows, type Slice } from "../../../runtime/reading/paging.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/runtime/peers/pages.test.ts";

interface Row {
  readonly at: number;
  readonly id: string;
  /** Rows that do not match a query make pages short. */
  readonly isShown: boolean;
}

const placeOf = ({ at, id }: Row): string => `${String(at).padStart(16, "0")}/w/${id}`;

/** The list of one engine, as its store keeps it. */
const rowsOf =
  (rows: readonly Row[]): Rows<Row> =>
  (place, order) => {
    const sorted = rows.map((row) => [placeOf(row), row] as const).sort(([a], [b]) => (a < b ? -1 : 1));
    if (order !== "oldest") sorted.reverse();
    return sorted.filter(([each]) => !place || (order === "oldest" ? each > place : each < place));
  };

const take = ({ at, id, isShown }: Row): Item | undefined =>
  isShown ? { workspace: "w", id, createdAt: at } : undefined;

const given = fc.record({
  engines: fc.array(fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.boolean()), { maxLength: 12 }), {
    minLength: 1,
    maxLength: 4,
  }),
  limit: fc.integer({ min: 1, max: 5 }),
  order: fc.constantFrom("newest" as const, "oldest" as const),
});

describe("pages", () => {
  it("PEERS-PAGES-1: the pages together are the lists of all engines, each item once, in one order", () => {
    holds(FILE, 500, given, ({ engines, limit, order }) => {
      const lists = engines.map((rows, engine) =>
        rows.map(([at, isShown], n): Row => ({ at, isShown, id: `e${engine}n${n}` })),
      );
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const slice: Slice = { limit, order, ...(cursor !== undefined && { cursor }) };
        const parts = lists.map((rows, engine): Part => ({
          engine: `e${engine}`,
          ...page(rowsOf(rows), slice, take, () => undefined),
        }));
        const merged = mergePages("session.list", parts, { limit, order });
        expect(merged.items.length).toBeLessThanOrEqual(limit);
        found.push(...merged.items.map((item) => `${String(item["engine"])} ${String(item["id"])}`));
        cursor = merged.nextCursor;
      } while (cursor !== undefined);
      const all = lists.flat().filter(({ isShown }) => isShown);
      const sorted = all.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
      if (order === "newest") sorted.reverse();
      expect(found).toEqual(sorted.map(({ id }) => `${id.slice(0, 2)} ${id}`));
    });
  });

  it("PEERS-PAGES-2: short pages, and whole ones of the engines that end too early, make the same page as whole ones", () => {
    const shares = fc.record({ asked: given, share: fc.integer({ min: 1, max: 5 }) });
    holds(FILE, 500, shares, ({ asked: { engines, limit, order }, share }) => {
      const partOf = (rows: (typeof engines)[number], n: number, most: number): Part => {
        const all = rows.map(([at, isShown], row): Row => ({ at, isShown, id: `e${n}n${row}` }));
        return { engine: `e${n}`, ...page(rowsOf(all), { limit: most, order }, take, () => undefined) };
      };
      const wanted = { limit, order };
      const whole = engines.map((rows, n) => partOf(rows, n, limit));
      const shared = engines.map((rows, n) => partOf(rows, n, Math.min(share, limit)));
      const short = shortParts("session.list", shared, wanted);
      const parts = shared.map((part, n) => (short.includes(part) ? (whole[n] ?? part) : part));
      const merged = mergePages("session.list", parts, wanted);
      expect(merged.items).toEqual(mergePages("session.list", whole, wanted).items);
    });
  });
});

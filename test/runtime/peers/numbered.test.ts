// Numbered
// The pages of lists that each engine numbers itself, whatever their clocks show.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeNumbered, readCursors } from "../../../runtime/peers/numbered.ts";
import type { Part } from "../../../runtime/peers/pages.ts";
import { page, rowsUnder } from "../../../runtime/reading/paging.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/runtime/peers/numbered.test.ts";
const LIST = "deadletter.list";

interface Letter {
  readonly n: number;
  readonly at: number;
  readonly isShown: boolean;
}

/** The page of one engine, as its store gives it. */
function pageOf(letters: readonly Letter[], limit: number, cursor: string | undefined) {
  const rows = letters.map((each) => [keys.dead(each.n), JSON.stringify(each)] as const);
  const store = {
    *range({ gte, lt }: { readonly gte: string; readonly lt: string }) {
      yield* rows.filter(([key]) => key >= gte && key < lt).toReversed();
    },
  };
  const take = (text: string) => {
    const { isShown, ...letter } = JSON.parse(text) as Letter;
    return isShown ? letter : undefined;
  };
  const slice = { limit, ...(cursor !== undefined && { cursor }) };
  return page(rowsUnder(store, keys.deads), slice, take, () => expect.fail("unreadable"));
}

const given = fc.record({
  engines: fc.array(fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.boolean()), { maxLength: 9 }), {
    minLength: 1,
    maxLength: 4,
  }),
  limit: fc.integer({ min: 1, max: 5 }),
});

describe("numbered", () => {
  it("PEERS-NUMBERED-1: the pages together have each letter of each engine once, those of one engine in its order", () => {
    holds(FILE, 500, given, ({ engines, limit }) => {
      const lists = engines.map((rows) =>
        rows.map(([at, isShown], n): Letter => ({ at, isShown, n: n + 1 })),
      );
      const found = lists.map((): number[] => []);
      let cursor: string | undefined;
      do {
        const before = readCursors(cursor);
        const parts = lists.flatMap((letters, nth): readonly Part[] => {
          const engine = nth === 0 ? {} : { engine: `e${nth}` };
          const name = engine.engine ?? "";
          if (before?.has(name) === false) return [];
          return [{ ...engine, ...pageOf(letters, limit, before?.get(name)) }];
        });
        const merged = mergeNumbered(LIST, parts, { limit, before });
        expect(merged.items.length).toBeLessThanOrEqual(limit);
        for (const { engine = "e0", n } of merged.items)
          found[Number(String(engine).slice(1))]?.push(Number(n));
        cursor = merged.nextCursor;
      } while (cursor !== undefined);
      const shown = (letters: readonly Letter[]) =>
        letters.filter(({ isShown }) => isShown).map(({ n }) => n);
      expect(found).toEqual(lists.map((letters) => shown(letters).toReversed()));
    });
  });

  it("PEERS-NUMBERED-1: on a page, the newest come first, whichever engine has them", () => {
    const parts = [
      {
        items: [
          { n: 2, at: 9 },
          { n: 1, at: 3 },
        ],
      },
      { engine: "shop", items: [{ n: 70, at: 5 }] },
    ];
    const { items, nextCursor } = mergeNumbered(LIST, parts, { limit: 10, before: undefined });
    expect(items).toEqual([
      { n: 2, at: 9 },
      { n: 70, at: 5, engine: "shop" },
      { n: 1, at: 3 },
    ]);
    expect(nextCursor).toBeUndefined();
  });

  it("PEERS-NUMBERED-2: an engine that is silent has no place in the next cursor", () => {
    const before = new Map([
      ["shop", undefined],
      ["web", undefined],
    ]);
    const shop = {
      engine: "shop",
      items: [
        { n: 2, at: 9 },
        { n: 1, at: 3 },
      ],
    };
    const { nextCursor } = mergeNumbered(LIST, [shop], { limit: 1, before });
    expect([...(readCursors(nextCursor)?.keys() ?? [])]).toEqual(["shop"]);
    expect(() => readCursors("shop")).toThrow(expect.objectContaining({ code: "BAD_CURSOR" }));
  });
});

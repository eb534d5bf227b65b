// Panel: newest letters
// How far the page reads where most of the newest letters are not for the user.

import { afterEach, expect, test, vi } from "vitest";
import { newest } from "../../../../adapters/panel/page/letters/newest.ts";

const PAGE = 1_000;
afterEach(() => vi.unstubAllGlobals());

/** An engine that reads a thousand letters for each page, as for a user who may see only the ones of these numbers. */
function stubEngine(all: number, seen: readonly number[]): void {
  vi.stubGlobal("fetch", (asked: string) => {
    const query = new URL(asked, "http://localhost").searchParams;
    const from = Number(query.get("cursor") ?? all + 1);
    const own = seen.filter((n) => n < from && n >= from - PAGE).slice(0, Number(query.get("limit")));
    const last = own.length === Number(query.get("limit")) ? (own.at(-1) ?? 0) : from - PAGE;
    const body = { items: own.map((n) => ({ n })), ...(last > 1 && { nextCursor: String(last) }) };
    return Promise.resolve(new Response(JSON.stringify(body)));
  });
}

test.each([
  ["the oldest of 3,000 is theirs", 3_000, [1], [1], false],
  ["there are too many to read all", 100_000, [95_000, 1], [95_000], true],
  ["all are theirs", 250, Array.from({ length: 250 }, (_, n) => 250 - n), { length: 200 }, true],
  ["there is none", 0, [], [], false],
])("LETTERS-NEWEST-1: the newest letters are shown if %s", async (_, all, seen, shown, isMore) => {
  stubEngine(all, seen);
  const { items, isMore: isAnyLeft } = await newest();
  const numbers = items.map(({ n }) => n);
  expect([Array.isArray(shown) ? numbers : { length: numbers.length }, isAnyLeft]).toEqual([shown, isMore]);
});

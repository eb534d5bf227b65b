// Numbered
// Merges lists in which each engine numbers its own items: dead letters, rules.
//
//   Owns:          the order of the merged items, the cursor, which contains the place in each engine's list.
//   Does not own:  asking the engines (peers), lists with one order in all engines (pages).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-NUMBERED-1. All pages together show each item of each engine once, as long as each engine answers. The items of one
//     engine stay in that engine's order; on a page, the items of several engines are merged by their times, newest first.
// PEERS-NUMBERED-2. If an engine does not answer, it is not asked for the later pages. So the list comes to an end even if the
//     engine stays silent.

import { jsonIn, isFields } from "../../machines/json.ts";
import { badCursor, writeCursor } from "../reading/paging.ts";
import { keys } from "../rows/keys.ts";
import { placeOfRule } from "../rows/rule-rows.ts";
import type { Item, MergedPage, Part } from "./pages.ts";

/** The lists whose items are numbered: for each, how to read an item's time and the item's place in its engine's list. */
export const NUMBERED = {
  "deadletter.list": {
    time: "at",
    placeOf: ({ n }) => keys.dead(Number(n)).slice(keys.deads.length),
  },
  "rule.list": { time: "madeAt", placeOf: ({ id }) => placeOfRule(String(id)) ?? "" },
} as const satisfies Readonly<Record<string, { time: string; placeOf: (item: Item) => string }>>;

export type NumberedList = keyof typeof NUMBERED;

/**
 * The cursor of each engine that has more items; undefined if none of the engine's items was shown yet. This engine's own name
 * is "".
 */
export type Cursors = ReadonlyMap<string, string | undefined>;

/** @returns the cursors; undefined for the first page, for which every engine is asked. @throws RefusedError BAD_CURSOR */
export function readCursors(cursor: string | undefined): Cursors | undefined {
  if (cursor === undefined) return undefined;
  const told = jsonIn(Buffer.from(cursor, "base64url").toString());
  if (!isFields(told)) throw badCursor();
  return new Map(
    Object.entries(told).map(([engine, each]) => [engine, typeof each === "string" ? each : undefined]),
  );
}

/** @param parts the pages of the engines that answered. @param before the cursors with which these engines were asked. */
export function mergeNumbered(
  list: NumberedList,
  parts: readonly Part[],
  { limit, before }: { readonly limit: number; readonly before: Cursors | undefined },
): MergedPage {
  const { time, placeOf } = NUMBERED[list];
  const all = parts.flatMap(({ engine, items }) => {
    let at = Infinity;
    return items.map((item) => {
      // If an engine's clock was set back, that engine's items still stay in its own order.
      at = Math.min(at, Number(item[time]));
      return { engine, item, at };
    });
  });
  const taken = all.toSorted((one, other) => other.at - one.at).slice(0, limit);
  const next = parts.flatMap(({ engine, items, nextCursor }): (readonly [string, string | null])[] => {
    const name = engine ?? "";
    const last = taken.findLast((each) => each.engine === engine)?.item;
    if (last === items.at(-1)) return nextCursor === undefined ? [] : [[name, nextCursor]];
    return [[name, last ? writeCursor(placeOf(last)) : (before?.get(name) ?? null)]];
  });
  return {
    items: taken.map(({ engine, item }) => (engine === undefined ? item : { ...item, engine })),
    ...(next.length > 0 && {
      nextCursor: Buffer.from(JSON.stringify(Object.fromEntries(next))).toString("base64url"),
    }),
  };
}

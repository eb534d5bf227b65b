// Figures
// Adds up the figures of several engines: how approvals were answered, and what happened in each interval.
//
//   Owns:          which figures are added up, and what is shown for figures that cannot be added up.
//   Does not own:  requesting figures from the engines (peers), the figures of one engine (runtime/reading/figures).
//
// PEERS-FIGURES-1. A figure of all engines is either exact or absent. A median is absent, because it cannot be computed from
//     the engines' medians. An engine sends at most 100 rows of a table. So a row is absent if an engine may have a part of the
//     row that it did not send.

import type { Fields } from "../../machines/json.ts";
import { FOLLOWED } from "../reading/figures/after-denial.ts";
import { type Answers, type AnswersRow, compared, type Waits } from "../reading/figures/answers.ts";
import { ENDERS } from "../reading/figures/counted.ts";
import type { SeriesAnswer } from "../reading/figures/series.ts";
import { fieldsIn, listIn, numberIn, type PeerBody, sumOf } from "./sums.ts";

const ROWS_MAX = 100;
const COUNTS = ["asked", "allowed", "denied", ...ENDERS] as const;

/** For each name, the sum of the numbers with that name. */
const sums = <K extends string>(names: readonly K[], of: readonly object[]): Record<K, number> =>
  // The cast is safe: each of `names` gets a number.
  Object.fromEntries(names.map((name) => [name, sumOf(name, of)])) as Record<K, number>;

const most = (name: string, of: readonly object[]): number =>
  Math.max(0, ...of.map((each) => numberIn(fieldsIn(each)[name])));

/**
 * Adds up the figures about answers of this engine and its peers.
 * @param limit how many of the listed approvals (`items`) the caller wants.
 */
export function answeredAll(own: Answers, peers: readonly PeerBody[], limit: number): Answers {
  const bodies = [fieldsIn(own), ...peers.map(({ body }) => fieldsIn(body))];
  const rowsIn = (table: string): readonly (readonly Fields[])[] =>
    bodies.map(({ tables }) => listIn(fieldsIn(tables)[table]));
  const tables = Object.keys(own.tables).map((table) => [table, tableOf(table, rowsIn(table))] as const);
  const items = bodies.flatMap(({ items }, n) =>
    listIn(items).map((item) => (n === 0 ? item : { ...item, engine: peers[n - 1]?.engine })),
  );
  const newest = items.toSorted((one, other) => numberIn(other["askedAt"]) - numberIn(one["askedAt"]));
  return {
    ...own,
    all: rowOf(
      own.all.name,
      bodies.map(({ all }) => fieldsIn(all)),
    ),
    // The casts are safe: each row has every field of its type, and approvals are passed on as their engine sent them.
    tables: Object.fromEntries(tables) as unknown as Answers["tables"],
    afterDenials: sums(
      FOLLOWED,
      bodies.map((body) => fieldsIn(body["afterDenials"])),
    ),
    ...(own.items && { items: newest.slice(0, limit) as unknown as Exclude<Answers["items"], undefined> }),
    more: bodies.some(({ more }) => more === true),
  };
}

/**
 * A table's rows from all engines, in the order that each engine uses: days newest first, the rows of other tables by the
 * number of approvals.
 */
function tableOf(table: string, parts: readonly (readonly Fields[])[]): readonly AnswersRow[] {
  const named = parts.map((rows) => new Map(rows.map((row) => [String(row["name"]), row])));
  const inOrder = (one: AnswersRow, other: AnswersRow): number =>
    table === "day"
      ? compared(other.name, one.name)
      : other.asked - one.asked || compared(one.name, other.name);
  const isExact = (name: string): boolean =>
    table === "day" || named.every((rows) => rows.has(name) || rows.size < ROWS_MAX);
  return [...new Set(named.flatMap((rows) => [...rows.keys()]))]
    .filter(isExact)
    .map((name) =>
      rowOf(
        name,
        named.map((rows) => rows.get(name)).filter((row) => row !== undefined),
      ),
    )
    .toSorted(inOrder)
    .slice(0, ROWS_MAX);
}

const rowOf = (name: string, rows: readonly Fields[]): AnswersRow => ({
  name,
  ...sums(COUNTS, rows),
  waitMs: waitsOf(rows.map(({ waitMs }) => fieldsIn(waitMs))),
});

/** Adds up the waits of rows; leaves out `p50` and `p90` if several rows have waits (PEERS-FIGURES-1). */
function waitsOf(all: readonly Fields[]): Waits {
  const waits = all.filter(({ count }) => numberIn(count) > 0);
  const total = { count: sumOf("count", waits), longest: most("longest", waits) };
  return waits.length > 1 ? total : { ...total, p50: sumOf("p50", waits), p90: sumOf("p90", waits) };
}

/**
 * Adds up intervals of several engines that begin at the same time. Every engine begins its intervals at multiples of their
 * length.
 */
export function seriesAll(own: SeriesAnswer, peers: readonly PeerBody[]): SeriesAnswer {
  const bodies = peers.map(({ body }) => fieldsIn(body));
  const others = bodies.flatMap(({ items }) => listIn(items));
  const since = most("since", [own, ...bodies]);
  return {
    ...own,
    items: own.items.map((interval) => {
      const all = [interval, ...others.filter(({ at }) => at === interval.at)];
      const names = Object.keys(interval) as readonly (keyof typeof interval)[];
      const waitedMaxMs = most("waitedMaxMs", all);
      return { ...sums(names, all), at: interval.at, waitedMaxMs };
    }),
    ...(since > 0 && { since }),
  };
}

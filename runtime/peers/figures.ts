// Figures
// Adds up the figures of several engines: how approvals were answered, and what happened in each interval.
//
//   Owns:          which figures are added, and what becomes of those that cannot be.
//   Does not own:  asking the engines (peers), their own figures (runtime/reading/figures).
//
// PEERS-FIGURES-1. A figure of all engines is exact, or absent. A median is absent: it does not follow from those of each engine.

import type { Fields } from "../../machines/json.ts";
import type { Answers, AnswersRow, Waits } from "../reading/figures/answers.ts";
import type { SeriesAnswer } from "../reading/figures/series.ts";
import { fieldsIn, listIn, numberIn, type PeerBody, sumOf } from "./sums.ts";

const ROWS_MAX = 100;
const COUNTS = [
  ...(["asked", "allowed", "denied"] as const),
  ...(["person", "client", "rule", "model", "nobody", "waiting"] as const),
];
const FOLLOWED = ["denials", "same", "changed", "other", "none"] as const;

/** The sum of each named number. */
const sums = <K extends string>(names: readonly K[], of: readonly object[]): Record<K, number> =>
  // The cast is safe: each name gets a number.
  Object.fromEntries(names.map((name) => [name, sumOf(name, of)])) as Record<K, number>;

const most = (name: string, of: readonly object[]): number =>
  Math.max(0, ...of.map((each) => numberIn(fieldsIn(each)[name])));

/** @param limit how many of the approvals behind a number are wanted. */
export function answeredAll(own: Answers, peers: readonly PeerBody[], limit: number): Answers {
  const bodies = [fieldsIn(own), ...peers.map(({ body }) => fieldsIn(body))];
  const rowsIn = (table: string): readonly Fields[] =>
    bodies.flatMap(({ tables }) => listIn(fieldsIn(tables)[table]));
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

/** Days newest first, the rows of other tables by the number of approvals: each engine orders its rows in the same way. */
function tableOf(table: string, rows: readonly Fields[]): readonly AnswersRow[] {
  const names = new Set(rows.map(({ name }) => String(name)));
  const inOrder = (one: AnswersRow, other: AnswersRow): number =>
    table === "day"
      ? compared(other.name, one.name)
      : other.asked - one.asked || compared(one.name, other.name);
  return [...names]
    .map((name) =>
      rowOf(
        name,
        rows.filter((row) => row["name"] === name),
      ),
    )
    .toSorted(inOrder)
    .slice(0, ROWS_MAX);
}

const compared = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const rowOf = (name: string, rows: readonly Fields[]): AnswersRow => ({
  name,
  ...sums(COUNTS, rows),
  waitMs: waitsOf(rows.map(({ waitMs }) => fieldsIn(waitMs))),
});

/** The waits of all rows; without medians where several rows have waits (PEERS-FIGURES-1). */
function waitsOf(all: readonly Fields[]): Waits {
  const waits = all.filter(({ count }) => numberIn(count) > 0);
  const total = { count: sumOf("count", waits), longest: most("longest", waits) };
  return waits.length > 1 ? total : { ...total, p50: sumOf("p50", waits), p90: sumOf("p90", waits) };
}

/** Adds up the intervals that begin at the same time: each engine begins them at multiples of their length. */
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

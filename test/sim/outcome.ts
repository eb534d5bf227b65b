// Outcome
// What one shape leads to, in figures for people and programs.
//
//   Owns:          which figures are told, and their words.
//   Does not own:  what was seen (load, away), the program (run).

import { awayOf } from "./away.ts";
import type { Given } from "./figures.ts";
import { type Limit, limitsOf } from "./limits.ts";
import { Load } from "./load.ts";
import { quantile } from "./quantile.ts";
import { partsOf, type Shape } from "./shape.ts";

export interface Outcome {
  readonly shape: Shape;
  readonly parts: number;
  readonly calls: { readonly come: number; readonly answered: number; readonly waiting: number };
  /** Work for each second of an owner, s: the mean and the busiest. */
  readonly owners: readonly [mean: number, most: number];
  /** ms */
  readonly answers: readonly [p50: number, p99: number];
  readonly inbox: { readonly work: number; readonly behindMs: number };
  readonly lists: { readonly p50: number; readonly p99: number; readonly partial: number };
  /** Of the engine with the inbox: a stream from each peer, and a request to each for each list under way. */
  readonly connections: number;
  /** One part, in a year, in the mean, ms. */
  readonly awayMs: number;
  /** The most used first. */
  readonly limits: readonly Limit[];
}

export function outcomeOf(shape: Shape, given: Given): Outcome {
  const seen = new Load(shape, given).run();
  const parts = partsOf(shape);
  const away = awayOf(parts, shape.spares, given, shape.seed);
  const { times, partial, shown } = seen.lists;
  return {
    ...{ shape, parts, calls: seen.calls },
    owners: [mean(seen.owners), Math.max(...seen.owners)],
    answers: [quantile(seen.answers, 0.5), quantile(seen.answers, 0.99)],
    inbox: { work: seen.inbox, behindMs: seen.behind },
    lists: { p50: quantile(times, 0.5), p99: quantile(times, 0.99), partial: partial / shown },
    connections:
      (parts > 1 ? parts : 0) * (1 + (given.lists * Math.min(quantile(times, 0.5), given.list)) / 1_000),
    awayMs: mean(away),
    limits: limitsOf(shape, given, seen),
  };
}

const mean = (figures: readonly number[]): number =>
  figures.reduce((sum, each) => sum + each, 0) / figures.length;

const ms = (value: number): string =>
  value < 10_000 ? `${value.toFixed(value < 10 ? 1 : 0)} ms` : `${(value / 1_000).toFixed(0)} s`;
const percent = (share: number): string => `${(share * 100).toFixed(share < 0.01 ? 1 : 0)} %`;

const ROWS: readonly (readonly [string, (outcome: Outcome) => string])[] = [
  ["owners, each of one part", ({ parts }) => String(parts)],
  ["calls that came, that wait at the end", ({ calls }) => `${calls.come}, ${calls.waiting}`],
  ["work of an owner, mean, busiest", ({ owners }) => owners.map(percent).join(", ")],
  ["a message applied, p50, p99", ({ answers }) => answers.map(ms).join(", ")],
  ["work of the inbox engine", ({ inbox }) => percent(inbox.work)],
  ["the inbox engine is behind at the end", ({ inbox }) => ms(inbox.behindMs)],
  ["a list of all parts, p50, p99", ({ lists }) => `${ms(lists.p50)}, ${ms(lists.p99)}`],
  ["lists without some part", ({ lists }) => percent(lists.partial)],
  ["connections of the inbox engine", ({ connections }) => connections.toFixed(0)],
  ["a part without an owner, in a year", ({ awayMs }) => ms(awayMs)],
  ...[0, 1, 2, 3, 4].map((n): readonly [string, (outcome: Outcome) => string] => [
    n === 0 ? "what is used most, of what there is" : `${n + 1}.`,
    ({ limits }) => (limits[n] ? `${limits[n].what}: ${percent(limits[n].used)}` : ""),
  ]),
];

/** One line for each figure, one column for each shape. */
export const tableOf = (outcomes: readonly Outcome[]): string =>
  [
    ["", ...outcomes.map(({ shape }) => `${shape.nodes} nodes`)],
    ["---", ...outcomes.map(() => "---")],
    ...ROWS.map(([name, tells]) => [name, ...outcomes.map(tells)]),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

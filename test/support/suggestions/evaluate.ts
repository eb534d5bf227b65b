// Evaluate
// What suggestions would have done: all that a first week gives are taken, and the second week is counted.
//
//   Owns:          the counts.
//   Does not own:  the teams (teams), the search.

import { NOTHING_GUARDED, rulingOf, rulingsOfEach } from "../../../machines/index.ts";
import { withMarks } from "../../../runtime/risks/marked.ts";
import { pastOf, readerOf, suggested } from "./history.ts";
import { asked, recordedCalls, SHOP } from "./recordings.ts";
import { type Question, teamOf } from "./teams.ts";

export interface Counts {
  taken: number;
  asked: number;
  answered: number;
  /** Allowed, and the person who was asked would have denied it. */
  wronglyAllowed: number;
  /** Of those taken, how many matched five calls or more. */
  useful: number;
}

/** @param limit how many of each project are taken. */
export async function evaluateTeam(seed: number, limit = MOST): Promise<Counts> {
  const { projects, weeks } = teamOf(seed);
  const [first = [], second = []] = weeks;
  return evaluateHistory(first, second, projects, limit);
}

const MOST = 50;

/** Real agents: the first half of the recordings is learnt from, the others come after that. */
export function evaluateRecordings(times: number): Promise<Counts> {
  const all = recordedCalls();
  const half = Math.ceil(all.length / 2);
  return evaluateHistory(asked(all.slice(0, half), times), asked(all.slice(half), 1), [SHOP], MOST);
}

/** The same with every second one learnt from: the two halves are alike. */
export function evaluateAlternate(times: number): Promise<Counts> {
  const all = recordedCalls();
  const [even, odd] = [0, 1].map((rest) => all.filter((_, n) => n % 2 === rest));
  return evaluateHistory(asked(even ?? [], times), asked(odd ?? [], 1), [SHOP], MOST);
}

async function evaluateHistory(
  first: readonly Question[],
  second: readonly Question[],
  projects: readonly string[],
  limit: number,
): Promise<Counts> {
  const reader = await readerOf(first.map(pastOf));
  const lists = [];
  for (const project of projects) lists.push((await suggested(reader, { project, limit })).items);
  const rules = lists.flat().map(({ rule: { forMs: _, ...terms } }) => terms);
  const matched = rules.map(() => 0);
  const counts: Counts = { taken: rules.length, asked: 0, answered: 0, wronglyAllowed: 0, useful: 0 };
  for (const [n, question] of second.entries()) {
    const past = withMarks(pastOf(question, n));
    counts.asked += 1;
    for (const [at, ruling] of rulingsOfEach(rules, past, NOTHING_GUARDED).entries())
      if (ruling) matched[at] = (matched[at] ?? 0) + 1;
    if (rulingOf(rules, past, NOTHING_GUARDED)?.effect !== "allow") continue;
    counts.answered += 1;
    if (question.answer === "denied") counts.wronglyAllowed += 1;
  }
  counts.useful = matched.filter((calls) => calls >= 5).length;
  return counts;
}

export async function evaluate(seeds: readonly number[], limit?: number): Promise<Counts> {
  const all: Counts = { taken: 0, asked: 0, answered: 0, wronglyAllowed: 0, useful: 0 };
  for (const seed of seeds) {
    const counts = await evaluateTeam(seed, limit);
    for (const name of ["taken", "asked", "answered", "wronglyAllowed", "useful"] as const)
      all[name] += counts[name];
  }
  return all;
}

export const SEEDS = Array.from({ length: 20 }, (_, n) => n + 201);

const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

export const report = ({ taken, asked, answered, wronglyAllowed, useful }: Counts): string =>
  [
    `${taken} suggestions taken, ${asked} questions after that.`,
    `Fewer questions: ${percent(answered, asked)} (${answered}).`,
    `Allowed what a person would have denied: ${wronglyAllowed}.`,
    `Suggestions that matched 5 later calls or more: ${percent(useful, taken)} (${useful}).`,
  ].join("\n");

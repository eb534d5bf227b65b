// Candidates
// Finds candidates: rules that may be suggested, because enough of people's answers support them.
//
//   Owns:          gathering answers by pattern; how many answers must support a candidate; in which order candidates are
//                  chosen (the one that saves the most approvals first).
//   Does not own:  the patterns of candidates (patterns), evidence against a candidate (denials, the trial).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// SUGGESTING-CANDIDATES-1. A candidate has the support of five answers or more, in two sessions or more. If its pattern has an
//     open part (`*`), the answers have five different texts or more in that part.
// SUGGESTING-CANDIDATES-2. The candidates do not depend on the order in which the answers are read.

import { setImmediate as nextTick } from "node:timers/promises";
import { flawOf, type RuleTerms } from "../../../machines/index.ts";
import type { Allowed, Answer } from "./answer.ts";
import { type Pattern, patternsOf } from "./patterns.ts";

const AGREEING_MIN = 5;
const SESSIONS_MIN = 2;
const EXAMPLES_MAX = 3;
const AT_ONCE = 50;

export interface Evidence {
  readonly answers: number;
  /** How many different calls the candidate's answers were about. */
  readonly different: number;
  readonly sessions: number;
  readonly by: readonly { readonly name: string; readonly answers: number }[];
  /** When the first and the last approval of these answers were requested, ms. */
  readonly first: number;
  readonly last: number;
  readonly examples: readonly string[];
}

export interface Candidate {
  readonly terms: RuleTerms;
  readonly pattern: Pattern;
  readonly groups: readonly Group[];
  /** Identifies the candidate: equal terms have equal keys. */
  readonly key: string;
}

/** The answers to all calls that have the same tool, folder and subject (the words, the path or the whole input). */
class Group {
  readonly by = new Map<string, number>();
  readonly sessions = new Set<string>();
  readonly texts = new Set<string>();
  /** For each whole input, a function that tells whether it has a risk mark (`Allowed.isMarked`). */
  readonly #unsure: (() => boolean)[] = [];
  count = 0;
  first = Infinity;
  last = 0;

  get isMarked(): boolean {
    return this.#unsure.some((isMarked) => isMarked());
  }

  covers({ isMarked }: Allowed): this {
    if (isMarked) this.#unsure.push(isMarked);
    return this;
  }

  add({ by, sessionId, at, allowed }: Answer): void {
    this.count += 1;
    this.first = Math.min(this.first, at);
    this.last = Math.max(this.last, at);
    this.by.set(by, (this.by.get(by) ?? 0) + 1);
    this.sessions.add(sessionId);
    this.texts.add(allowed.text);
  }
}

interface Gathered {
  readonly tool: string;
  readonly project: string;
  readonly pattern: Pattern;
  readonly open: readonly Set<string>[];
  readonly groups: Set<Group>;
}

export class Candidates {
  readonly #groups = new Map<string, Group>();
  readonly #known = new Map<Allowed, Group>();
  readonly #gathered = new Map<string, Gathered>();

  add(answer: Answer): void {
    this.#groupOf(answer.allowed).add(answer);
  }

  #groupOf(allowed: Allowed): Group {
    const known = this.#known.get(allowed);
    if (known) return known;
    const { tool, folder: project, subject } = allowed;
    const of = JSON.stringify([tool, project, subject]);
    const group = this.#groups.get(of) ?? new Group();
    this.#known.set(allowed, group.covers(allowed));
    // All calls of a group lead to the same patterns, so patterns are computed only for a group's first call.
    if (this.#groups.get(of) === group) return group;
    this.#groups.set(of, group);
    for (const pattern of patternsOf(allowed)) {
      const key = JSON.stringify([tool, project, pattern.match]);
      const found = this.#gathered.get(key) ?? gather(tool, project, pattern);
      this.#gathered.set(key, found);
      found.groups.add(group);
      for (const [n, value] of pattern.open.entries()) found.open[n]?.add(value);
    }
    return group;
  }

  /** SUGGESTING-CANDIDATES-1: returns the candidates; those with the most answers come first. */
  async most(limit: number): Promise<readonly Candidate[]> {
    const agreed = [...this.#gathered]
      .filter(([, found]) => isAgreed(found))
      .map(([key, found]) => candidateOf(key, found))
      .filter(({ terms }) => flawOf(terms) === undefined)
      .map((candidate) => ({ candidate, count: countOf(candidate.groups) }))
      .sort((one, other) => other.count - one.count || byKey(one.candidate, other.candidate));
    const most: Candidate[] = [];
    for (const [n, { candidate }] of agreed.entries()) {
      if (most.length === limit) break;
      if (n % AT_ONCE === 0) await nextTick();
      if (!candidate.groups.some((group) => group.isMarked)) most.push(candidate);
    }
    return most;
  }
}

function candidateOf(key: string, { tool, project, pattern, groups }: Gathered): Candidate {
  const terms: RuleTerms = { effect: "allow", tool, match: pattern.match, project, unmarked: true };
  return { terms, pattern, groups: [...groups], key };
}

const gather = (tool: string, project: string, pattern: Pattern): Gathered => ({
  ...{ tool, project, pattern },
  open: pattern.open.map(() => new Set<string>()),
  groups: new Set(),
});

const isAgreed = ({ groups, open }: Gathered): boolean =>
  countOf([...groups]) >= AGREEING_MIN &&
  sessionsOf([...groups]) >= SESSIONS_MIN &&
  open.every((values) => values.size >= AGREEING_MIN);

const countOf = (groups: readonly Group[]): number => groups.reduce((sum, { count }) => sum + count, 0);

const sessionsOf = (groups: readonly Group[]): number =>
  new Set(groups.flatMap(({ sessions }) => [...sessions])).size;

/** Sorts candidates, the narrower one first: the one with fewer open parts, or else the one with the longer key. */
const byKey = (one: Candidate, other: Candidate): number =>
  one.pattern.open.length - other.pattern.open.length ||
  other.key.length - one.key.length ||
  (one.key < other.key ? -1 : 1);

/** Chooses the rule that saves the most approvals, then the rule that saves the most of the remaining approvals, and so on. */
export function chosen(candidates: readonly Candidate[], limit: number): readonly Candidate[] {
  const covered = new Set<Group>();
  const taken: Candidate[] = [];
  while (taken.length < limit) {
    const left = candidates
      .map((each) => ({ each, saves: countOf(each.groups.filter((group) => !covered.has(group))) }))
      .filter(({ saves }) => saves >= AGREEING_MIN)
      .sort((one, other) => other.saves - one.saves || byKey(one.each, other.each));
    const [best] = left;
    if (!best) break;
    taken.push(best.each);
    for (const group of best.each.groups) covered.add(group);
  }
  return taken;
}

export function evidenceOf({ groups }: Candidate): Evidence {
  const by = new Map<string, number>();
  for (const group of groups)
    for (const [name, answers] of group.by) by.set(name, (by.get(name) ?? 0) + answers);
  return {
    answers: countOf(groups),
    different: groups.length,
    sessions: sessionsOf(groups),
    by: [...by]
      .map(([name, answers]) => ({ name, answers }))
      .sort((one, other) => other.answers - one.answers || (one.name < other.name ? -1 : 1)),
    first: groups.reduce((least, { first }) => Math.min(least, first), Infinity),
    last: groups.reduce((most, { last }) => Math.max(most, last), 0),
    examples: groups
      .map(({ texts }) => [...texts].sort()[0] ?? "")
      .sort()
      .slice(0, EXAMPLES_MAX),
  };
}

// Rule trial
// Runs rules over what was asked before: what they would have answered, and where people answered otherwise.
//
//   Owns:          what is counted, which are shown.
//   Does not own:  what a rule answers (machines/rules), which approvals there are (asked-before).
//
// RULE-TRIAL-1. Nothing is changed, and nothing is used up: a trial asks as if the rules had always been in force. Tried
//     again on the same rows it says the same.
// RULE-TRIAL-2. It looks at 100,000 approvals at most, and says if there are more. (by review: a test of so many takes too long)
// RULE-TRIAL-3. Of an approval that was removed it says what it said before.

import {
  defined,
  type Guarded,
  type RuleEffect,
  type RuleTerms,
  type Ruling,
  rulingOf,
} from "../../machines/index.ts";
import { withMarks } from "../risks/marked.ts";
import { answeredBy, type PastApproval } from "../rows/past-approvals.ts";
import { askedBefore } from "./asked-before.ts";
import type { Reader } from "./reader.ts";

export interface TrialItem {
  readonly approvalId: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly askedAt: number;
  /** The beginning of its input. */
  readonly input: string;
  readonly would: RuleEffect;
  /** The rule that would, if it has been made. */
  readonly rule?: string;
  readonly state: string;
  readonly by?: string;
  /** A person answered otherwise. */
  readonly differs: boolean;
}

export interface TrialDay {
  readonly day: string;
  readonly asked: number;
  readonly answered: number;
}

export interface Trial {
  /** How many approvals were looked at. */
  readonly asked: number;
  readonly allow: number;
  readonly deny: number;
  readonly ask: number;
  readonly differing: number;
  /** By day (UTC), the newest first: how many were asked, and how many of them the rules would have answered. */
  readonly days: readonly TrialDay[];
  /** Those where a person answered otherwise first, then the others, newest first. */
  readonly items: readonly TrialItem[];
  /** There are older ones. */
  readonly more: boolean;
}

const LOOKED_AT_MAX = 100_000;
const INPUT_SHOWN = 300;

export type Tried = RuleTerms & { readonly id?: string };

export interface TrialScope {
  readonly workspace: string;
  /** Only what was asked since then, ms. */
  readonly since: number;
  /** How many items at most. */
  readonly limit: number;
  /** Where the engine is. */
  readonly guarded: Guarded;
}

export async function trial(
  reader: Reader,
  rules: readonly Tried[],
  { workspace, since, limit, guarded }: TrialScope,
): Promise<Trial> {
  const always = rules.map(asAlways);
  const tally = new Tally(limit);
  for await (const past of askedBefore(reader, { workspace, since })) {
    if (tally.isFull) return tally.result(true);
    tally.add(past, rulingOf(always, withMarks(past), guarded));
  }
  return tally.result(false);
}

/** RULE-TRIAL-1 */
export const asAlways = ({
  expiresAt: _,
  uses: _uses,
  perHour: _perHour,
  dry: _dry,
  ...rule
}: Tried): Tried => rule;

/** What one trial has seen so far. */
export class Tally {
  readonly #limit: number;
  readonly #counts = { asked: 0, allow: 0, deny: 0, ask: 0, differing: 0 };
  readonly #days = new Map<string, { asked: number; answered: number }>();
  readonly #differing: TrialItem[] = [];
  readonly #others: TrialItem[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** RULE-TRIAL-2 */
  get isFull(): boolean {
    return this.#counts.asked >= LOOKED_AT_MAX;
  }

  add(past: PastApproval, ruling: Ruling<Tried> | undefined): void {
    this.#counts.asked += 1;
    const day = new Date(past.at).toISOString().slice(0, 10);
    const its = this.#days.get(day) ?? { asked: 0, answered: 0 };
    this.#days.set(day, its);
    its.asked += 1;
    if (!ruling) return;
    const item = itemOf(past, ruling);
    this.#counts[item.would] += 1;
    if (item.would !== "ask") its.answered += 1;
    if (item.differs) this.#counts.differing += 1;
    const among = item.differs ? this.#differing : this.#others;
    if (among.length < this.#limit) among.push(item);
  }

  result(more: boolean): Trial {
    return {
      ...this.#counts,
      days: [...this.#days]
        .map(([day, its]) => ({ day, ...its }))
        .sort((one, other) => (one.day < other.day ? 1 : -1)),
      items: [...this.#differing, ...this.#others].slice(0, this.#limit),
      more,
    };
  }
}

function itemOf(past: PastApproval, { effect: would, rule }: Ruling<Tried>): TrialItem {
  const { approvalId, sessionId, tool, at: askedAt, input, state, by } = past;
  const answered = answeredBy(past);
  return {
    approvalId,
    sessionId,
    tool,
    askedAt,
    input: input && "text" in input ? input.text.slice(0, INPUT_SHOWN) : "",
    would,
    ...defined({ rule: rule.id }),
    state,
    ...defined({ by }),
    differs: answered !== undefined && would !== "ask" && answered !== would,
  };
}

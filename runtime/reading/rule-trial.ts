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

import { defined, type Guarded, type RuleEffect, type RuleTerms, rulingOf } from "../../machines/index.ts";
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

type Tried = RuleTerms & { readonly id?: string };

interface TrialScope {
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
  const always = rules.map(({ expiresAt: _, uses: _uses, perHour: _perHour, dry: _dry, ...rule }) => ({ ...rule, used: 0 }));
  const counts = { asked: 0, allow: 0, deny: 0, ask: 0, differing: 0 };
  const days = new Map<string, { asked: number; answered: number }>();
  const differing: TrialItem[] = [];
  const others: TrialItem[] = [];
  let more = false;
  for await (const past of askedBefore(reader, { workspace, since })) {
    if (counts.asked >= LOOKED_AT_MAX) {
      more = true;
      break;
    }
    counts.asked += 1;
    const day = new Date(past.at).toISOString().slice(0, 10);
    const its = days.get(day) ?? { asked: 0, answered: 0 };
    days.set(day, its);
    its.asked += 1;
    const item = tried(past, always, guarded);
    if (!item) continue;
    counts[item.would] += 1;
    if (item.would !== "ask") its.answered += 1;
    if (item.differs) counts.differing += 1;
    const among = item.differs ? differing : others;
    if (among.length < limit) among.push(item);
  }
  return {
    ...counts,
    days: [...days]
      .map(([day, its]) => ({ day, ...its }))
      .sort((one, other) => (one.day < other.day ? 1 : -1)),
    items: [...differing, ...others].slice(0, limit),
    more,
  };
}

function tried(past: PastApproval, rules: readonly Tried[], guarded: Guarded): TrialItem | undefined {
  const ruling = rulingOf(rules, past, guarded);
  if (!ruling) return undefined;
  const { effect: would, rule } = ruling;
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

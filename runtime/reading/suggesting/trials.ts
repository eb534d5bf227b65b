// Trials
// Tries many rules on the same past approvals, each as if it were the only rule.
//
//   Owns:          reading each approval, and each repeated call, only once for all rules.
//   Does not own:  what a trial counts and shows (rule-trial).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// SUGGESTING-TRIALS-1. For each rule the result is the same as that of `trialInSlices` with this rule alone.
// SUGGESTING-TRIALS-2. A rule's answer depends only on the call, not on the agent or the time. (checked by review: the type of
//     these rules has nothing else)

import { type RuleTerms, type Ruling, rulingsOfEach } from "../../../machines/index.ts";
import type { PastApproval } from "../../rows/past-approvals.ts";
import { askedBefore } from "../asked-before.ts";
import type { Reader } from "../reader.ts";
import { Tally, type Trial } from "../backtest/tally.ts";
import { LOOKED_AT_MAX, type Tried, type TrialScope } from "../rule-trial.ts";
import { type Marking, once } from "../backtest/once.ts";

/** The terms of a rule whose answer depends only on the call (SUGGESTING-TRIALS-2). */
export type Timeless = Pick<RuleTerms, "effect" | "tool" | "match" | "project" | "unmarked">;

export async function trialOfEach(
  reader: Reader,
  rules: readonly Timeless[],
  { workspace, since, limit, guarded }: TrialScope,
  marking: Marking,
): Promise<readonly Trial[]> {
  const said = once((past: PastApproval) => hits(rulingsOfEach(rules, marking(past), guarded)));
  const whole = new Tally(0, true);
  const tallies = rules.map(() => new Tally(limit, true));
  let more = false;
  let looked = 0;
  if (rules.length > 0)
    for await (const past of askedBefore(reader, { workspace, since })) {
      more = looked >= LOOKED_AT_MAX;
      if (more) break;
      looked += 1;
      whole.asked(past, undefined, false);
      for (const [n, ruling] of said(past)) tallies[n]?.asked(past, ruling, false);
    }
  return tallies.map((tally) => among(whole.result(more, undefined), tally.result(more, undefined)));
}

type Hit = readonly [n: number, ruling: Ruling<Timeless & Tried>];

const NONE: readonly Hit[] = [];

function hits(rulings: readonly (Ruling<Timeless & Tried> | undefined)[]): readonly Hit[] {
  const found: Hit[] = [];
  for (const [n, ruling] of rulings.entries()) if (ruling) found.push([n, ruling]);
  return found.length > 0 ? found : NONE;
}

/** Adds the counts of all approvals to a rule's trial, because that trial counted only the approvals that the rule answers. */
function among({ asked, days }: Trial, own: Trial): Trial {
  const answered = new Map(own.days.map((each) => [each.day, each.answered]));
  return { ...own, asked, days: days.map((each) => ({ ...each, answered: answered.get(each.day) ?? 0 })) };
}

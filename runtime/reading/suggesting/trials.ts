// Trials
// Tries many rules on the same history, each as if it were the only one.
//
//   Owns:          reading each approval, and each call that comes again, once for all of them.
//   Does not own:  what a trial counts and shows (rule-trial).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// SUGGESTING-TRIALS-1. Each rule's trial is what `trial` says of it alone.
// SUGGESTING-TRIALS-2. The rules look at the call itself alone: not at who asks, nor when.

import { type RuleTerms, type Ruling, rulingsOfEach } from "../../../machines/index.ts";
import type { PastApproval } from "../../rows/past-approvals.ts";
import { askedBefore } from "../asked-before.ts";
import type { Reader } from "../reader.ts";
import { asAlways, Tally, type Trial, type TrialScope } from "../rule-trial.ts";
import { type Marking, once } from "./once.ts";

/** SUGGESTING-TRIALS-2 */
export type Timeless = Pick<RuleTerms, "effect" | "tool" | "match" | "project" | "unmarked">;

/** @returns a trial for each rule, in their order. */
export async function trialOfEach(
  reader: Reader,
  rules: readonly Timeless[],
  { workspace, since, limit, guarded }: TrialScope,
  marking: Marking,
): Promise<readonly Trial[]> {
  const always = rules.map(asAlways);
  const said = once((past: PastApproval) => hits(rulingsOfEach(always, marking(past), guarded)));
  const whole = new Tally(0);
  const tallies = rules.map(() => new Tally(limit));
  let more = false;
  if (rules.length > 0)
    for await (const past of askedBefore(reader, { workspace, since })) {
      more = whole.isFull;
      if (more) break;
      whole.add(past, undefined);
      for (const [n, ruling] of said(past)) tallies[n]?.add(past, ruling);
    }
  return tallies.map((tally) => among(whole.result(more), tally.result(more)));
}

type Hit = readonly [n: number, ruling: Ruling<RuleTerms>];

const NONE: readonly Hit[] = [];

function hits(rulings: readonly (Ruling<RuleTerms> | undefined)[]): readonly Hit[] {
  const found: Hit[] = [];
  for (const [n, ruling] of rulings.entries()) if (ruling) found.push([n, ruling]);
  return found.length > 0 ? found : NONE;
}

/** A trial that has seen its own only, with all that was asked. */
function among({ asked, days }: Trial, own: Trial): Trial {
  const answered = new Map(own.days.map((each) => [each.day, each.answered]));
  return { ...own, asked, days: days.map((each) => ({ ...each, answered: answered.get(each.day) ?? 0 })) };
}

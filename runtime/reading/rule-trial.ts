// Rule trial
// Replays what was asked before against rules: what they would have answered, and where people answered otherwise.
//
//   Owns:          the order of a replay, its slices, how much is looked at.
//   Does not own:  what a rule answers (machines/rules), what there is (backtest/places), what is counted (backtest/tally).
//   Decided in:    docs/decisions/0073-rules-are-tried-on-what-was-removed.md.
//
// RULE-TRIAL-1. Nothing is changed. A trial takes the rules as if they had been made when the history begins: they are
//     used up, used within the hour, and end, by the history's own clock. Tried again on the same rows it says the same.
// RULE-TRIAL-2. It looks at the 100,000 newest approvals and calls at most, and says if there are more. (by review: a test of
//     so many takes too long)
// RULE-TRIAL-3. Of an approval that was removed it says what it said before.
// RULE-TRIAL-4. A call that nobody was asked about uses up nothing, and is counted apart.
// RULE-TRIAL-5. It goes in slices. Others run in between, and whoever waits is told how far it is.
// RULE-TRIAL-6. Of a session, or of sessions in a folder or below it, it looks only at what was asked there. A session whose
//     folder is not known is in none.
// RULE-TRIAL-7. A file is tried as if it were in force: with the rules that stay beside it, and without those that are dry.

import { setImmediate as nextTick } from "node:timers/promises";
import { type AskedCall, type Guarded, isIn, rulingAmong, shortlist } from "../../machines/index.ts";
import { PAST_MAX } from "../rows/past-approvals.ts";
import { withMarks } from "../risks/marked.ts";
import { momentAt } from "./backtest/moments.ts";
import { once } from "./backtest/once.ts";
import { approvalPlaces, callPlaces, inOrder, type Place } from "./backtest/places.ts";
import { RulesInUse, type Tried } from "./backtest/rules-in-use.ts";
import { type Said, Tally, type Trial } from "./backtest/tally.ts";
import type { Reader } from "./reader.ts";

export type { Trial } from "./backtest/tally.ts";
export type { Tried } from "./backtest/rules-in-use.ts";

/** How far a trial is. */
export interface TrialProgress {
  readonly looked: number;
  readonly of: number;
}

export interface TrialScope {
  readonly workspace: string;
  /** Only what came since then, ms; the history begins there. With 0 it begins with the first that is looked at. */
  readonly since: number;
  /** Only this session, or sessions in this folder or below it. */
  readonly session?: string;
  readonly project?: string;
  /** How many items at most. */
  readonly limit: number;
  /** Where the engine is. */
  readonly guarded: Guarded;
  /** Calls that nobody was asked about are looked at, too. */
  readonly withCalls?: boolean;
}

export const LOOKED_AT_MAX = PAST_MAX;
const SLICE = 250;
/** History repeats what was asked: so many different calls are read once. */
const READ_MAX = 8_192;

/** What the rules together would have done. */
export async function trial(reader: Reader, rules: readonly Tried[], scope: TrialScope): Promise<Trial> {
  const run = trialInSlices(reader, rules, scope);
  for (;;) {
    const { done, value } = await run.next();
    if (done === true) return value;
  }
}

/** The same, slice by slice. @returns its result. */
export async function* trialInSlices(
  reader: Reader,
  rules: readonly Tried[],
  { guarded, limit, withCalls = false, project, ...of }: TrialScope,
): AsyncGenerator<TrialProgress, Trial> {
  const tally = new Tally(limit);
  const { workspace, since } = of;
  const scope = { ...of, max: LOOKED_AT_MAX };
  const approvals = await approvalPlaces(reader.store, scope);
  const calls = withCalls ? await callPlaces(reader.store, scope) : undefined;
  const places = [...approvals.places, ...(calls?.places ?? [])].sort(inOrder);
  const inUse = new RulesInUse(rules, beginningOf(approvals, since));
  const shortlistOf = once((call: AskedCall) => shortlist(inUse.rules, withMarks(call), guarded), READ_MAX);
  const add = (place: Place): void => {
    const moment = momentAt(reader, workspace, place);
    if (!moment) return;
    const asked = moment.kind === "asked" ? moment.asked : moment.call;
    if (project !== undefined && !isIn(project, asked.cwd)) return;
    const seen = shortlistOf(asked);
    const ruling = seen && rulingAmong(seen, inUse.rules, asked);
    if (moment.kind === "unasked") return tally.unasked(moment.call, ruling);
    const unlimited =
      seen && inUse.unlimited && !answers(ruling) ? rulingAmong(seen, inUse.unlimited, asked) : undefined;
    tally.asked(moment.asked, ruling, answers(unlimited));
    inUse.use(ruling, asked.at);
  };
  for (let looked = 0; looked < places.length; looked += SLICE) {
    yield { looked, of: places.length };
    for (const place of places.slice(looked, looked + SLICE)) add(place);
    await nextTick();
  }
  return tally.result(approvals.more, calls?.more);
}

const answers = (said: Said | undefined): boolean => said !== undefined && said.effect !== "ask";

/** RULE-TRIAL-1: where older ones are not looked at, with the first that is. */
function beginningOf(
  { places, more }: { readonly places: readonly Place[]; readonly more: boolean },
  since: number,
): number {
  return since > 0 && !more ? since : (places[0]?.at ?? since);
}

// Rule trial
// Tries rules on past approvals, and reports how the rules would have answered, and where people answered otherwise.
//
//   Owns:          the order of a trial, its slices, how many approvals it reads.
//   Does not own:  how a rule answers (machines/rules), finding past approvals (backtest/places), the counts (backtest/tally).
//   Decided in:    docs/decisions/0073-rules-are-tried-on-what-was-removed.md.
//
// RULE-TRIAL-1. A trial changes nothing. A trial treats the rules as if they had been made at the beginning of the time that the
//     trial covers. The uses, hourly limits and ends of the rules count by the times of the past approvals. The same rows always
//     give the same result.
// RULE-TRIAL-2. A trial reads at most the 100,000 newest approvals and the 100,000 newest calls, and reports if there are older
//     ones. (checked by review: a test of so many takes too long)
// RULE-TRIAL-3. In a trial an approval that was removed counts in the same way as before its removal.
// RULE-TRIAL-4. A call that ran without an approval is counted separately, and does not count as a use of a rule.
// RULE-TRIAL-5. A trial runs in slices of 250 approvals and calls. Between two slices other work of the engine runs, and the
//     caller learns the progress.
// RULE-TRIAL-6. A trial for a session, or for a folder and the folders below it, reads only approvals and calls of that session
//     or of those folders. A session whose folder is unknown belongs to no folder.
// RULE-TRIAL-7. A file of rules is tried as if the file were in force, together with the stored rules that the file would leave
//     in force. Dry rules are left out.

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

export interface TrialProgress {
  readonly looked: number;
  readonly of: number;
}

export interface TrialScope {
  readonly workspace: string;
  /**
   * The trial reads only approvals and calls that came since this time, ms. With 0, the time that the trial covers begins at
   * the first approval.
   */
  readonly since: number;
  /** The trial reads only approvals and calls of this session. */
  readonly session?: string;
  /** The trial reads only approvals and calls of sessions in this folder, or below it. */
  readonly project?: string;
  readonly limit: number;
  /** The engine's own folders and addresses, which no rule allows a call to reach. */
  readonly guarded: Guarded;
  /** True to read also calls that ran without an approval. */
  readonly withCalls?: boolean;
}

export const LOOKED_AT_MAX = PAST_MAX;
const SLICE = 250;
/** For how many different calls the trial remembers which rules may answer the call, because agents often repeat a call. */
const READ_MAX = 8_192;

/** Runs a trial to its end. */
export async function ended(run: AsyncGenerator<TrialProgress, Trial>): Promise<Trial> {
  for (;;) {
    const { done, value } = await run.next();
    if (done === true) return value;
  }
}

/** Tries how the rules together would have answered, and yields the progress. */
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

/**
 * RULE-TRIAL-1: the beginning of the time that the trial covers: `since`, or, if `since` is 0 or not all approvals are read,
 * the time of the first one.
 */
function beginningOf(
  { places, more }: { readonly places: readonly Place[]; readonly more: boolean },
  since: number,
): number {
  return since > 0 && !more ? since : (places[0]?.at ?? since);
}

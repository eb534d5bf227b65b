// Rule trial
// Replays past approvals against rules: what the rules would have answered, and where people answered otherwise.
//
//   Owns:          the order of a replay, its slices, how much history it reads.
//   Does not own:  the rules' answers (machines/rules), finding the history (backtest/places), the counts (backtest/tally).
//   Decided in:    docs/decisions/0073-rules-are-tried-on-what-was-removed.md.
//
// RULE-TRIAL-1. A trial changes nothing. It treats the rules as if they had been made when the history begins: their uses,
//     their hourly limits and their ends count by the history's own clock. A trial of the same rows gives the same result.
// RULE-TRIAL-2. A trial reads the 100,000 newest approvals and calls at most, and reports if there are more. (by review: a
//     test of so many takes too long)
// RULE-TRIAL-3. A removed approval counts the same as before it was removed.
// RULE-TRIAL-4. A call that nobody was asked about uses up no rule, and is counted apart.
// RULE-TRIAL-5. A trial runs in slices. Other work runs in between, and the caller learns the progress.
// RULE-TRIAL-6. A trial of a session, or of a folder and those below it, reads only approvals from there. A session whose
//     folder is unknown belongs to no folder.
// RULE-TRIAL-7. A file of rules is tried as if it were in force: with the rules that stay beside it, without dry-run rules.

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
  /** Only what came since this time, ms; the history begins there. With 0 it begins with the first item that is read. */
  readonly since: number;
  /** Only this session, or the sessions in this folder or below it. */
  readonly session?: string;
  readonly project?: string;
  readonly limit: number;
  /** The engine's own folders and addresses, which rules never allow. */
  readonly guarded: Guarded;
  /** Also reads the calls that nobody was asked about. */
  readonly withCalls?: boolean;
}

export const LOOKED_AT_MAX = PAST_MAX;
const SLICE = 250;
/** History often repeats a call, so the reading of so many different calls is kept. */
const READ_MAX = 8_192;

/** What the rules together would have answered. */
export const trial = (reader: Reader, rules: readonly Tried[], scope: TrialScope): Promise<Trial> =>
  ended(trialInSlices(reader, rules, scope));

/** Runs all slices of a trial. */
export async function ended(run: AsyncGenerator<TrialProgress, Trial>): Promise<Trial> {
  for (;;) {
    const { done, value } = await run.next();
    if (done === true) return value;
  }
}

/** The same as `trial`, slice by slice. */
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

/** RULE-TRIAL-1: if older items are not read, the history begins with the first that is. */
function beginningOf(
  { places, more }: { readonly places: readonly Place[]; readonly more: boolean },
  since: number,
): number {
  return since > 0 && !more ? since : (places[0]?.at ?? since);
}

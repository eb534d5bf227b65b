// Outcome
// All rounds, one after another, and what came of them.
//
//   Owns:          when the judges are asked, and about what.
//   Does not own:  a round (round), who is right (judge, log), the command line (run).

import { judge, type Judged } from "../judge.ts";
import { round, type Setting } from "./round.ts";

export interface Outcome extends Judged {
  /** What the logs of changes and the exports show, in words. */
  readonly wrong: readonly string[];
}

/** @param done is called after each round. */
export async function chaos(
  rounds: number,
  setting: Setting,
  seed: number,
  done: (n: number) => boolean = () => true,
): Promise<Outcome> {
  const { struck, tally } = setting;
  for (let n = 1; n <= rounds; n++) {
    const startedAt = performance.now();
    await round(setting, `c${seed}-${n}`);
    tally.roundsS.push((performance.now() - startedAt) / 1_000);
    if (!done(n)) break;
  }
  await struck.mend();
  const { calls } = tally;
  const { shown, wrong } = await struck.shown(calls);
  return { ...judge({ calls, rules: [], shown: [...tally.shown, ...shown], strays: [] }), wrong };
}

// Outcome
// All rounds, one after another, and what came of them.
//
//   Owns:          when the judges are asked, and about what.
//   Does not own:  a round (round), who is right (judge, log), the command line (run).

import { now } from "../book.ts";
import { judge, type Judged } from "../judge.ts";
import { exportedIn } from "../shown.ts";
import { differing, wrongIn } from "./log.ts";
import { round, type Setting } from "./round.ts";

export interface Outcome extends Judged {
  /** What the log of changes and the two exports show, in words. */
  readonly wrong: readonly string[];
}

async function outcome({ machines, tally }: Setting): Promise<Outcome> {
  await machines.agreed();
  const exported = async (name: typeof machines.owner): Promise<string> => {
    const { code, out, err } = await machines.run(["export", "--json"], name);
    if (code !== 0) throw new Error(`The export failed: ${err}`);
    return out;
  };
  const askedAt = now();
  const [owner, spare] = [await exported(machines.owner), await exported(machines.spare)];
  const shown = [...tally.shown, ...exportedIn(owner, { askedAt, readAt: now() })];
  const { calls } = tally;
  const differed = /HISTORY_DIFFERS|had another result/.test(machines.said);
  return {
    ...judge({ calls, rules: [], shown, strays: [] }),
    wrong: [
      ...wrongIn(await machines.published()),
      ...differing(owner, spare),
      ...(differed ? ["a spare's history differed from its owner's"] : []),
    ],
  };
}

/** @param done is called after each round. */
export async function chaos(
  rounds: number,
  setting: Setting,
  seed: number,
  done: (n: number) => void = () => undefined,
): Promise<Outcome> {
  const { machines } = setting;
  for (let n = 1; n <= rounds; n++) {
    const startedAt = performance.now();
    await round(setting, `c${seed}-${n}`);
    setting.tally.roundsS.push((performance.now() - startedAt) / 1_000);
    done(n);
  }
  await machines.mend();
  return outcome(setting);
}

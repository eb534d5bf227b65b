// Kill judge
// Whether each command that ran was allowed: by what the engine has committed, read after it was killed and came back.
//
//   Owns:          the two rules.
//   Does not own:  the rounds (kill-round), what the engine exports.
//
// KILL-JUDGE-1. A command that ran has an approval that says approved; where the engine has none, or was told that its asker
//     went on without it (it was killed before it could say that it has the question), the client alone allowed it.
// KILL-JUDGE-2. A command that was allowed and not struck ran: a door that is shut for good would pass the first rule.

import type { Shown } from "../chaos/shown.ts";
import { isAbout, type Played } from "./kill-round.ts";

/** @returns what is wrong, a line each. */
export function judged(rounds: readonly Played[], approvals: readonly Shown[]): readonly string[] {
  return rounds.flatMap((round) => {
    const { n, ran, hasRun, plan, isStruck } = round;
    const own = approvals.filter(({ input }) => isAbout(input, ran));
    const states = own.map(({ state }) => state);
    const where = `round ${n} (${round.agent}, ${JSON.stringify(plan)}, approvals: ${states.join(", ") || "none"})`;
    const isAllowedAlone =
      own.every(({ state, lapsedSaid }) => state === "expired" && lapsedSaid === "ask") &&
      (plan.says === "client allows" || plan.says === "both at once");
    const isAllowed = states.includes("approved") || isAllowedAlone;
    if (hasRun && !isAllowed) return [`${where}: ran without a committed allow`];
    if (!hasRun && !isStruck && states.includes("approved"))
      return [`${where}: was allowed, and did not run`];
    return [];
  });
}

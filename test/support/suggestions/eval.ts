// Eval
// Prints what suggestions would have done on simulated teams and on recordings: `npm run eval:suggestions`.
//
//   Owns:          nothing but the printing.
//   Does not own:  the evaluation.

import { suggestedMost } from "../../../runtime/reading/suggesting/suggestions.ts";
import { evaluate, evaluateAlternate, evaluateRecordings, report, SEEDS } from "./evaluate.ts";
import { recordedCalls } from "./recordings.ts";

const teams = `${SEEDS.length} teams, a week learnt from and a week after that`;
for (const [most, name] of [
  [50, "all that are told"],
  [suggestedMost(), `the default: the first ${suggestedMost()} of each project`],
  [10, "only the first ten of each project"],
] as const)
  console.log(`${teams}, ${name}:\n${report(await evaluate(SEEDS, most))}\n`);

const calls = recordedCalls();
console.log(
  `${calls.length} recordings of real agents with ${calls.flat().length} calls: few, and written by a script.\n`,
);
for (const times of [1, 3]) {
  const learnt = times === 1 ? "once" : `${times} times`;
  console.log(
    `The first half, played ${learnt}, then the second half:\n${report(await evaluateRecordings(times))}\n`,
  );
  console.log(
    `Every second one, played ${learnt}, then the others:\n${report(await evaluateAlternate(times))}\n`,
  );
}

// Eval
// Prints what suggestions would have done on simulated teams: `npm run eval:suggestions`.
//
//   Owns:          nothing but the printing.
//   Does not own:  the evaluation.

import { evaluate, report, SEEDS } from "./evaluate.ts";

console.log(report(await evaluate(SEEDS)));
console.log(`\nOnly the first ten of each project:\n${report(await evaluate(SEEDS, 10))}`);

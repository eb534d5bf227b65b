// Eval
// Prints how well intents are found in the recordings: `npm run eval:intent`.
//
//   Owns:          nothing but the printing.
//   Does not own:  the evaluation.

import { evaluate, report } from "./evaluate.ts";

console.log(report(await evaluate()));

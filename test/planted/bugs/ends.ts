// Ends
// Bugs in what a call's end is taken for, where two sources word it differently.

import type { Bug } from "../bug.ts";

export const ENDS: readonly Bug[] = [
  {
    name: "a stopped call stays what telemetry called it",
    harm: "A call that a person stopped is shown as a tool's failure.",
    edits: [
      {
        file: "machines/facts/reversals.ts",
        find: '  (event.type === "denied" || event.type === "missed") && event.outdoes === true;',
        put: '  event.type === "denied" && event.outdoes === true;',
      },
    ],
    witness: { file: "test/machines/evidence/stopped.test.ts", claim: "C2" },
    second: { file: "test/machines/tables/call.test.ts", claim: "I-01" },
  },
  {
    name: "a call that fell is listed, and so denied itself",
    harm: "Four people seem to have said no, where one did.",
    edits: [
      {
        file: "machines/routing/outcomes.ts",
        find: "  if (isListed && !calls.get(records, first)?.denied) return LISTED_ALONE;",
        put: "  if (isListed && calls.get(records, first)) return LISTED_ALONE;",
      },
    ],
    witness: { file: "test/machines/denials/falls.test.ts", claim: "C4" },
    second: { file: "test/machines/doubts.test.ts", claim: "C4" },
  },
  {
    name: "any tool's error is believed to be a refusal",
    harm: "A server calls its failure a denial, and nobody looks at what it did.",
    edits: [
      {
        file: "machines/routing/outcomes.ts",
        find: "!input.worded?.of.includes(tool)",
        put: "!input.worded || tool === ``",
      },
    ],
    witness: { file: "test/adapters/claude-code/transcript-wording.test.ts", claim: "TOLD-2" },
    second: { file: "test/machines/denials/refusals.test.ts", claim: "C4" },
  },
];

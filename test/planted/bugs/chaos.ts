// Chaos
// Bugs in the judge of the chaos at the gate: it would believe the engine.

import type { Bug } from "../bug.ts";

export const CHAOS: readonly Bug[] = [
  {
    name: "the judge takes the export for the cause of a run",
    harm: "An engine that approves by itself gives no finding.",
    edits: [
      {
        file: "test/chaos/judge.ts",
        find: "if (!causeOf(ran, call, rules)) return",
        put: "if (!last) return",
      },
    ],
    witness: { file: "test/project/chaos.test.ts", claim: "CHAOS-JUDGE-1" },
    second: { file: "test/project/chaos.judge.test.ts", claim: "CHAOS-JUDGE-2" },
  },
  {
    name: "the judge asks only whether there was an answer",
    harm: "A denial whose reply was lost may be recorded as approved.",
    edits: [
      {
        file: "test/chaos/causes.ts",
        find: "      each.verdict === verdict &&\n      each.by === by &&\n      each.message === message &&\n",
        put: "",
      },
    ],
    witness: { file: "test/project/chaos.test.ts", claim: "CHAOS-JUDGE-2" },
    second: { file: "test/project/chaos.judge.test.ts", claim: "CHAOS-JUDGE-2" },
  },
  {
    name: "the judge believes the gate's word about what was accepted",
    harm: "An answer that is acknowledged, and counts later or never, gives no finding.",
    edits: [{ file: "test/chaos/judge.ts", find: "if (isTold) return whys;", put: "if (isTold) return [];" }],
    witness: { file: "test/project/chaos.test.ts", claim: "CHAOS-JUDGE-3" },
    second: { file: "test/project/chaos.judge.test.ts", claim: "CHAOS-JUDGE-3" },
  },
  {
    name: "the judge does not ask when an approve was sent",
    harm: "A call that ran before anybody approved it gives no finding.",
    edits: [{ file: "test/chaos/causes.ts", find: "firstSentAt(each) <= ran.at &&", put: "" }],
    witness: { file: "test/project/chaos.test.ts", claim: "CAUSES-1" },
    second: { file: "test/project/chaos.judge.test.ts", claim: "CAUSES-1" },
  },
];

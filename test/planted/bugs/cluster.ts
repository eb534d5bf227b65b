// Cluster
// Bugs in who of several engines on one journal speaks.

import type { Bug } from "../bug.ts";

export const CLUSTER: readonly Bug[] = [
  {
    name: "an owner's words count after its term",
    harm: "An owner that was paused wakes up, and ends requests and sweeps rows that the new one still needs.",
    edits: [
      {
        file: "runtime/cluster/says.ts",
        find: "isOwners(said) && term !== numberOf(known)",
        put: "isOwners(said) && term > numberOf(known)",
      },
    ],
    witness: { file: "test/runtime/cluster/term.test.ts", claim: "CLUSTER-SAYS-1" },
    second: { file: "test/runtime/engine/mandate.test.ts", claim: "ENGINE-MANDATE-3" },
  },
  {
    name: "what an owner said once counts as if it said it now",
    harm: "The owner is dead, and the spare never takes over.",
    edits: [
      {
        file: "runtime/cluster/spare.ts",
        find: "    const said = await line.ask();\n",
        put: '    const fresh = await line.ask();\n    const said = fresh === "nobody" ? (KEPT.get(this) ?? fresh) : fresh;\n    KEPT.set(this, said);\n',
      },
      {
        file: "runtime/cluster/spare.ts",
        find: "const ASK_MS = 500;\n",
        put: 'const ASK_MS = 500;\nconst KEPT = new WeakMap<object, OwnerSaid | "nobody" | "cut">();\n',
      },
    ],
    witness: { file: "test/runtime/cluster/spare.test.ts", claim: "CLUSTER-SPARE-1" },
    second: { file: "test/runtime/cluster/spare.test.ts", claim: "CLUSTER-SPARE-2" },
  },
];

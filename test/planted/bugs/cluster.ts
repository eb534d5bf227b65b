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
        find: "    const said = await line.ask({ compare: mandate.agreement.wanted() });\n",
        put: '    const fresh = await line.ask({ compare: mandate.agreement.wanted() });\n    const said = fresh === "nobody" ? (KEPT.get(this) ?? fresh) : fresh;\n    KEPT.set(this, said);\n',
      },
      {
        file: "runtime/cluster/spare.ts",
        find: "const SILENCE_MS = 3_000;\n",
        put: 'const SILENCE_MS = 3_000;\nconst KEPT = new WeakMap<object, OwnerSaid | "nobody" | "cut">();\n',
      },
    ],
    witness: { file: "test/runtime/cluster/spare.test.ts", claim: "CLUSTER-SPARE-1" },
    second: { file: "test/runtime/cluster/spare.test.ts", claim: "CLUSTER-SPARE-2" },
  },
  {
    name: "a spare takes every digest for its own",
    harm: "A spare whose rows are wrong takes over, and answers from them.",
    edits: [
      {
        file: "runtime/agreement/agreement.ts",
        find: "ours.upTo === upTo && ours.digest === theirs.digest",
        put: 'ours.upTo === upTo && ours.digest !== ""',
      },
    ],
    witness: { file: "test/runtime/agreement/agreement.test.ts", claim: "AGREEMENT-2" },
    second: { file: "test/runtime/engine/comparing.test.ts", claim: "ENGINE-MANDATE-5" },
  },
  {
    name: "a digest leaves the view out",
    harm: "What a spare would publish after a take-over differs from what the owner published, and nobody notices before.",
    edits: [
      {
        file: "runtime/agreement/digests.ts",
        find: 'text.replace(EPOCH, "")',
        put: 'text.replace(/"view":.*/, "")',
      },
    ],
    witness: { file: "test/runtime/agreement/agreement.test.ts", claim: "AGREEMENT-2" },
    second: { file: "test/runtime/agreement/agreement.test.ts", claim: "AGREEMENT-1" },
  },
  {
    name: "a store that differed is opened again",
    harm: "A start without --follow makes the wrong one of two histories the owner's.",
    edits: [
      {
        file: "runtime/agreement/differing.ts",
        find: "if (position !== undefined) throw",
        put: "if (position === null) throw",
      },
    ],
    witness: { file: "test/runtime/engine/comparing.test.ts", claim: "DIFFERING-1" },
    second: { file: "test/adapters/nats/server/spare.test.ts", claim: "CLUSTER-SPARE-5" },
  },
];

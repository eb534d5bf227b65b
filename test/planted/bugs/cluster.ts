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
    name: "an owner answers first, and looks at the terms then",
    harm: "An owner that stood still says that a denial counts. At the new owner the approval still waits.",
    edits: [
      {
        file: "runtime/engine/engine.ts",
        find: "    tellOwner(results, this.#options);\n",
        put: "    this.#waiting.settle(results);\n    tellOwner(results, this.#options);\n",
      },
    ],
    witness: { file: "test/runtime/engine/told.test.ts", claim: "ENGINE-MANDATE-3" },
  },
  {
    name: "a spare answers what no owner has yet",
    harm: "The owner only paused. It shows an approval as waiting that the spare has said is answered.",
    edits: [
      {
        file: "runtime/engine/mandate.ts",
        find: "return isLeading || position <= hold.owned;",
        put: "return true;",
      },
    ],
    witness: { file: "test/runtime/engine/told.test.ts", claim: "WAITING-2" },
  },
  {
    name: "what an owner said once counts as if it said it now",
    harm: "The owner is dead, and the spare never takes over.",
    edits: [
      {
        file: "runtime/cluster/spare.ts",
        find: "    const said = await line.ask(this.#asked());\n",
        put: '    const fresh = await line.ask(this.#asked());\n    const said = fresh === "nobody" ? (KEPT.get(this) ?? fresh) : fresh;\n    KEPT.set(this, said);\n',
      },
      {
        file: "runtime/cluster/spare.ts",
        find: "const SILENCE_MS = 3_000;\n",
        put: 'const SILENCE_MS = 3_000;\nconst KEPT = new WeakMap<object, OwnerHeard | "nobody" | "cut">();\n',
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
  {
    name: "a spare reads past its owner",
    harm: "An entry that ends processes ends owner and spare, and nobody serves until both have died at it three times.",
    edits: [
      {
        file: "runtime/cluster/hold.ts",
        find: "early.filter(({ position }) => position <= (this.#upTo ?? 0))",
        put: "early.filter(({ position }) => position > 0)",
      },
    ],
    witness: { file: "test/runtime/cluster/hold.test.ts", claim: "CLUSTER-HOLD-1" },
    second: { file: "test/runtime/engine/held.test.ts", claim: "CLUSTER-HOLD-1" },
  },
  {
    name: "an owner trims what no spare holds",
    harm: "The owner's disk is lost, and with it what the journal no longer has.",
    edits: [
      {
        file: "runtime/cluster/spares.ts",
        find: "return Math.min(position, held);",
        put: "return position;",
      },
    ],
    witness: { file: "test/runtime/cluster/spares.test.ts", claim: "CLUSTER-SPARES-4" },
    second: { file: "test/runtime/engine/held.test.ts", claim: "CLUSTER-SPARES-4" },
  },
  {
    name: "a spare says that it holds what it has not compared",
    harm: "The owner trims behind a spare whose rows are wrong: neither a rebuild nor the spare has what is right.",
    edits: [
      {
        file: "runtime/agreement/agreement.ts",
        find: "if (agreed >= changes && quiet >= position) this.#held",
        put: "if (agreed <= changes && quiet <= position) this.#held",
      },
    ],
    witness: { file: "test/runtime/engine/held.test.ts", claim: "CLUSTER-SPARES-4" },
    second: { file: "test/runtime/agreement/agreement.test.ts", claim: "AGREEMENT-6" },
  },
];

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
        find: "(term !== numberOf(known) ||",
        put: "(term > numberOf(known) ||",
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
        find: "    this.#telling.tell(results, this.#options);\n",
        put: "    this.#waiting.settle(results);\n    this.#telling.tell(results, this.#options);\n",
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
        find: "const PAUSE_MS = ",
        put: 'const KEPT = new WeakMap<object, OwnerHeard | "nobody" | "cut">();\nconst PAUSE_MS = ',
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
  {
    name: "an engine applies what another partition should have",
    harm: "After one wrong line of the NATS server's mapping a workspace has two histories, two quotas and two sets of rules.",
    edits: [
      {
        file: "runtime/turn/turn.ts",
        find: "checkPartition(meta(layer).configuration.partition, message.workspace);",
        put: "",
      },
    ],
    witness: { file: "test/runtime/engine/partition.test.ts", claim: "TURN-2" },
    second: { file: "test/adapters/nats/server/partitions.test.ts", claim: "TURN-2" },
  },
  {
    name: "the door takes messages of another partition",
    harm: "Whoever sends to the wrong engine begins a workspace there, and its own engine does not know of it.",
    edits: [
      {
        file: "runtime/door/door.ts",
        find: "checkPartition(this.#options.engine.meta().configuration.partition, workspace);",
        put: "",
      },
    ],
    witness: { file: "test/adapters/http/access/partition.test.ts", claim: "DOOR-9" },
    second: { file: "test/adapters/nats/server/partitions.test.ts", claim: "DOOR-9" },
  },
  {
    name: "a new version goes on in the middle of a term",
    harm: "The new owner shows another state than the old one has told people about.",
    edits: [
      {
        file: "runtime/engine/opening.ts",
        find: "  if (known) checkOpening(known, build, rows.get(keys.build) as BuildRow | undefined);\n",
        put: "",
      },
    ],
    witness: { file: "test/runtime/engine/seam.test.ts", claim: "CLUSTER-SEAM-4" },
  },
  {
    name: "a spare takes over behind an end that it has not read",
    harm: "The old version goes on, and no engine of the new one can ever open its folder.",
    edits: [
      {
        file: "runtime/cluster/term.ts",
        find: " || behind !== known.term?.ended?.position",
        put: "",
      },
    ],
    witness: { file: "test/runtime/cluster/term.test.ts", claim: "CLUSTER-TERM-3" },
  },
  {
    name: "the old version reads on behind the end of its term",
    harm: "What services sent while the version changed is applied by two versions.",
    edits: [
      {
        file: "runtime/cluster/seam.ts",
        find: "if (next?.term?.build === build) return;",
        put: "if (next) return;",
      },
    ],
    witness: { file: "test/runtime/engine/seam.test.ts", claim: "CLUSTER-SEAM-3" },
  },
];

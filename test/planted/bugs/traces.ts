// Traces
// Bugs in what a collector is told of a session.

import type { Bug } from "../bug.ts";

export const TRACES: readonly Bug[] = [
  {
    name: "a call that nobody was asked about looks approved",
    harm: "Whoever counts approvals in traces counts calls that no person ever saw.",
    edits: [
      {
        file: "runtime/traces/call-span.ts",
        find: '"signalbox.approval.decision": "never-asked"',
        put: '"signalbox.approval.decision": "approved"',
      },
    ],
    witness: { file: "test/adapters/traces/api-sink.test.ts", claim: "CALL-SPAN-1" },
  },
  {
    name: "a corrected call is told as a second span of its own",
    harm: "One call is counted twice, once as lost.",
    edits: [
      {
        file: "runtime/traces/spans-of.ts",
        find: "  if (view.was !== undefined) return correction(change, view, measure);\n",
        put: "",
      },
    ],
    witness: { file: "test/runtime/traces/spans-of.test.ts", claim: "SPANS-OF-2" },
  },
  {
    name: "the place in the log is kept before its spans are sent",
    harm: "A crash, or an end while the collector is away, leaves out spans for good.",
    edits: [
      {
        file: "adapters/traces/otlp/exporter.ts",
        find: "const n = first ? first.n - 1 : this.#reached;",
        put: "const n = first ? this.#reached : this.#reached;",
      },
    ],
    witness: { file: "test/adapters/traces/otlp.test.ts", claim: "EXPORTER-2" },
  },
  {
    name: "a full queue drops what it does not take",
    harm: "A burst leaves holes in traces, though the log has it all.",
    edits: [
      {
        file: "runtime/traces/span-follower.ts",
        find: "    this.#catchingUp = this.#catchUp(this.placeOf(this.#at));\n",
        put: "    this.#catchingUp = this.#catchUp(this.placeOf(this.#options.engine.meta().changes));\n",
      },
    ],
    witness: { file: "test/runtime/traces/span-follower.test.ts", claim: "SPAN-FOLLOWER-1" },
  },
];

// Reuse
// Bugs in whom an answer is told where an id comes again.

import type { Bug } from "../bug.ts";

const OVER_HTTP = "test/adapters/http/gate/reused.test.ts";
const OVER_NATS = "test/adapters/nats/services/waiting.test.ts";
const MACHINES = "test/machines/routing/approvals/sharing.test.ts";

export const REUSE: readonly Bug[] = [
  {
    name: "an id may come again for another call",
    harm: "An answer to one call is recorded as asked for by another.",
    edits: [
      {
        file: "machines/routing/approvals/sharing.ts",
        find: "  if (differs.length > 0) return refuse(scene, differenceText(input.approvalId, differs));\n",
        put: "",
      },
    ],
    witness: { file: MACHINES, claim: "I-53" },
    second: { file: OVER_HTTP, claim: "I-53" },
  },
  {
    name: "a question shares the answer to another input",
    harm: "A person approves one input; another runs.",
    edits: [
      {
        file: "machines/routing/approvals/sharing.ts",
        find: "const differs = contradicting(shownBy(book), askedAbout(scene.sessionId, input));",
        put: "const differs: readonly string[] = [];",
      },
    ],
    witness: { file: MACHINES, claim: "I-53" },
    second: { file: OVER_HTTP, claim: "I-53" },
  },
  {
    name: "whoever asks under a known id is told its answer",
    harm: "A second service that chose the same id makes its call on the first one's answer.",
    edits: [
      {
        file: "runtime/reading/asker.ts",
        find: "refuse(id, was ? differing(was, now) : contradicting(shownBy(reader, address), now));",
        put: "if (!was) refuse(id, contradicting(shownBy(reader, address), now));",
      },
    ],
    witness: { file: OVER_HTTP, claim: "ASKER-1" },
    second: { file: OVER_HTTP, claim: "AFTERWARDS-2" },
  },
  {
    name: "whoever reads an answer is believed",
    harm: "A service that asked about one call makes another on its answer.",
    edits: [
      {
        file: "runtime/reading/asker.ts",
        find: "refuse(id, was ? differing(was, said) : contradicting(shownBy(reader, address), said));",
        put: "",
      },
    ],
    witness: { file: OVER_HTTP, claim: "ASKER-1" },
    second: { file: OVER_NATS, claim: "ASKER-2" },
  },
  {
    name: "an id that a service chose is enough to read its answer",
    harm: "A service that chose the same id reads the first one's answer, and does not know.",
    edits: [
      {
        file: "runtime/reading/asker.ts",
        find: "if (was?.isService !== true && saysNothing) return;",
        put: "if (saysNothing) return;",
      },
    ],
    witness: { file: OVER_HTTP, claim: "ASKER-2" },
    second: { file: OVER_NATS, claim: "ASKER-2" },
  },
];

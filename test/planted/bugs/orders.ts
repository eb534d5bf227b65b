// Orders
// Bugs in what is kept of a word that comes before the call, or the question, it is about.

import type { Bug } from "../bug.ts";

export const ORDERS: readonly Bug[] = [
  {
    name: "an approved question is never a later call's",
    harm: "A call runs on another input than was approved, and no alarm tells of it.",
    edits: [
      {
        file: "machines/queues/waiting-lines.ts",
        find: 'return isOver(book) ? "over" : "asked";',
        put: 'return book.answered ? ("gone" as Verdict) : "asked";',
      },
    ],
    witness: { file: "test/machines/routing/approvals/binding.test.ts", claim: "BINDING-1" },
    second: { file: "test/machines/evidence/orders.test.ts", claim: "BINDING-1" },
  },
  {
    name: "a question that was over keeps its call for ever",
    harm: "A person approves the call's own question, and an alarm tells that nobody did.",
    edits: [
      {
        file: "machines/matching/matching.ts",
        find: "    if (calls.get(records, id)?.askedOver)",
        put: "    if (seen > ALIKE_SEEN)",
      },
    ],
    witness: { file: "test/machines/routing/approvals/binding.again.test.ts", claim: "BINDING-2" },
    second: { file: "test/machines/model.test.ts", claim: "C4" },
  },
  {
    name: "a question that names its call is taken for another's that is over",
    harm: "It is withdrawn at once: nobody is asked, and the agent has no answer.",
    edits: [
      {
        file: "machines/matching/matching.ts",
        find: "!isTaken(call) && (ref.toolUseId === undefined || call.toolUseId === undefined);",
        put: "!isTaken(call);",
      },
    ],
    witness: { file: "test/machines/questions.late.test.ts", claim: "S3.11" },
    second: { file: "test/machines/model.test.ts", claim: "C4" },
  },
  {
    name: "an older client's missing mark says that a refused call had begun",
    harm: "What a person refused at the terminal is shown as interrupted.",
    edits: [
      {
        file: "adapters/claude-code/told.ts",
        find: "(isUpTo(UNDATED, version) ? undefined : false)",
        put: "false",
      },
    ],
    witness: { file: "test/adapters/claude-code/transcript-denials.test.ts", claim: "TOLD-3" },
  },
  {
    name: "a rule of the user's settings is a person",
    harm: "Each call that a rule allows raises an alarm, and nobody looks at alarms any more.",
    edits: [
      {
        file: "machines/evidence/permission.ts",
        find: '  source.startsWith("user") && (reason === undefined || !NOBODYS.has(reason));',
        put: '  source.startsWith("user") && (reason === undefined || NOBODYS.size > 0);',
      },
    ],
    witness: { file: "test/machines/evidence/permission.test.ts", claim: "PERMISSION-1" },
    second: { file: "test/system/alarms.test.ts", claim: "PERMISSION-1" },
  },
  {
    name: "a terminal's answer that comes before the question is forgotten",
    harm: "A person is asked about a call that runs already.",
    edits: [
      {
        file: "machines/routing/approvals/permits.ts",
        find: "    calls.set(scene.records, id, { ...call, settled: permission });",
        put: "",
      },
    ],
    witness: { file: "test/machines/routing/approvals/permits.test.ts", claim: "PERMITS-2" },
    second: { file: "test/machines/answered-elsewhere.test.ts", claim: "PERMITS-2" },
  },
];

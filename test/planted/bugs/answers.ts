// Answers
// Bugs in what counts as an answer, as its proof, and as what became of it.

import type { Bug } from "../bug.ts";

export const ANSWERS: readonly Bug[] = [
  {
    name: "a gate compares the beginning of the hash",
    harm: "A call runs by the answer to an input whose hash begins alike, which can be made.",
    edits: [
      {
        file: "adapters/gate/waiting.ts",
        find: "told.inputHash !== inputHash",
        put: "told.inputHash?.slice(0, 12) !== inputHash.slice(0, 12)",
      },
    ],
    witness: { file: "test/adapters/gate/verdict.test.ts", claim: "I-39" },
    second: { file: "test/adapters/gate/waiting.test.ts", claim: "I-39" },
  },
  {
    name: "a gate compares hashes in any letters",
    harm: "A hash that is written otherwise was made by somebody else, and counts.",
    edits: [
      {
        file: "adapters/gate/waiting.ts",
        find: "told.inputHash !== inputHash",
        put: "told.inputHash?.toLowerCase() !== inputHash.toLowerCase()",
      },
    ],
    witness: { file: "test/adapters/gate/verdict.test.ts", claim: "GATE-WAITING-5" },
    second: { file: "test/adapters/gate/waiting.test.ts", claim: "I-39" },
  },
  {
    name: "an approval compares the beginning of the hash",
    harm: "What was shown is not what is approved.",
    edits: [
      {
        file: "machines/approval.ts",
        find: "event.inputHash !== context.input.hash",
        put: "event.inputHash?.slice(0, 12) !== context.input.hash.slice(0, 12)",
      },
    ],
    witness: { file: "test/machines/tables/approval.test.ts", claim: "I-08" },
    second: { file: "test/adapters/http/gate/decisions.test.ts", claim: "I-08" },
  },
  {
    name: "a gate that never asked is told before a denial that was not obeyed",
    harm: "The gravest alarm of a call is not seen.",
    edits: [
      {
        file: "machines/evidence/alarm.ts",
        find: "  const found = isAllowedElsewhere(",
        put: '  if (neverAsked(context)) return { kind: "gateFailedOpen", at, because: "never-asked" };\n  const found = isAllowedElsewhere(',
      },
    ],
    witness: { file: "test/machines/routing/alarm.order.test.ts", claim: "ALARM-3" },
    second: { file: "test/system/alarms.test.ts", claim: "ALARM-3" },
  },
  {
    name: "a gate that was answered answers by itself, too",
    harm: "The engine is told that nobody obeyed the answer, and shows it as lapsed.",
    edits: [
      {
        file: "adapters/gate/waiting.ts",
        find: "return { verdict, isLocal: false };",
        put: "return { verdict, isLocal: true };",
      },
    ],
    witness: { file: "test/adapters/gate/waiting.test.ts", claim: "GATE-WAITING-2" },
    second: { file: "test/adapters/gate/waiting.test.ts", claim: "GATE-WAITING-1" },
  },
  {
    name: "a gate that hung up is waited for like one that was told to ask again",
    harm: "An approval of a client that was killed stays open, and is answered for nobody.",
    edits: [
      {
        file: "runtime/gate/leases.ts",
        find: "hungUp ? terms.hungUp : terms.waited",
        put: "hungUp ? terms.waited : terms.hungUp",
      },
    ],
    witness: { file: "test/runtime/gate/leases.test.ts", claim: "LEASES-3" },
    second: { file: "test/runtime/gate/leases.test.ts", claim: "LEASES-1" },
  },
  {
    name: "a proof leaves out the workspace",
    harm: "A request is sent again under another workspace, whose rules answer.",
    edits: [
      {
        file: "runtime/line/handshake.ts",
        find: '"last-event-id", "signalbox-workspace"] as const',
        put: '"last-event-id"] as const',
      },
    ],
    witness: { file: "test/adapters/line/proofs.test.ts", claim: "HANDSHAKE-4" },
    second: { file: "test/adapters/line/over-tcp.test.ts", claim: "HANDSHAKE-4" },
  },
  {
    name: "an answer's proof leaves out its status",
    harm: "A refusal is made an answer on the way.",
    edits: [
      {
        file: "runtime/line/handshake.ts",
        find: '["answer", ...said(asked), status, bodyHash]',
        put: '["answer", ...said(asked), bodyHash].slice(0, status + 99)',
      },
    ],
    witness: { file: "test/adapters/line/proofs.test.ts", claim: "HANDSHAKE-4" },
    second: { file: "test/adapters/line/over-tcp.test.ts", claim: "OVER-TCP-3" },
  },
  {
    name: "an answer that was taken has lapsed",
    harm: "A person is told that the answer came to nothing, and the call ran by it.",
    edits: [
      {
        file: "machines/evidence/receipt.ts",
        find: "const lapse = taken ? undefined : (alone ?? left);",
        put: "const lapse = alone ?? left;",
      },
    ],
    witness: { file: "test/machines/routing/receipt.test.ts", claim: "RECEIPT-2" },
    second: { file: "test/machines/evidence.test.ts", claim: "RECEIPT-2" },
  },
  {
    name: "a receipt holds a run against the input before it was edited",
    harm: "A call that ran as it was edited is shown as another one.",
    edits: [
      {
        file: "machines/evidence/receipt.ts",
        find: "(updatedInput ?? input)?.hash",
        put: "(input ?? updatedInput)?.hash",
      },
    ],
    witness: { file: "test/machines/routing/receipt.test.ts", claim: "RECEIPT-4" },
    second: { file: "test/machines/evidence.test.ts", claim: "RECEIPT-4" },
  },
];

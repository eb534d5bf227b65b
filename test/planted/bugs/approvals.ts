// Approvals
// Bugs in who is denied, who is allowed, and which call a question is about.

import type { Bug } from "../bug.ts";

export const APPROVALS: readonly Bug[] = [
  {
    name: "the newest call is matched first",
    harm: "A question is shown for, and answered on, another call.",
    edits: [
      {
        file: "machines/queues/deque.ts",
        find: "  return deque?.ids[0];",
        put: "  return deque?.ids.at(-1);",
      },
    ],
    witness: { file: "test/machines/matching/matching.test.ts", claim: "S3.11" },
  },
  {
    name: "a cascade begins one call early",
    harm: "A call before the denied one is denied with it.",
    edits: [
      {
        file: "machines/cascade.ts",
        find: "other.index > call.index",
        put: "other.index >= call.index - 1",
      },
    ],
    witness: { file: "test/machines/invariants.test.ts", claim: "I-10" },
  },
  {
    name: "a cascade reaches into the next batch",
    harm: "Calls that nobody spoke of are denied.",
    edits: [
      {
        file: "machines/cascade.ts",
        find: "other.batchId === call.batchId && other.index > call.index",
        put: "other.batchId >= call.batchId && (other.batchId > call.batchId || other.index > call.index)",
      },
    ],
    witness: { file: "test/machines/invariants.test.ts", claim: "I-10" },
  },
  {
    name: "an approval needs no hash",
    harm: "What runs is not what was shown.",
    edits: [
      {
        file: "machines/approval.ts",
        find: '(!context.input || "damaged" in context.input || event.inputHash !== context.input.hash)',
        put: "!context.input",
      },
    ],
    witness: { file: "test/machines/tables/approval.test.ts", claim: "I-08" },
  },
  {
    name: "an input that is read back is not held against its hash",
    harm: "What the disk made of an input is shown, and approved, under the hash of the one that was asked about.",
    edits: [
      {
        file: "runtime/rows/actors/input-damage.ts",
        find: 'if (typeof text === "string") return isNamed(hash, text);',
        put: 'if (typeof text === "string") return true;',
      },
    ],
    witness: { file: "test/runtime/rows/damage.inputs.test.ts", claim: "G22" },
  },
  {
    name: "a buried denial leaves its session open",
    harm: "What was denied in the lost entry is approved later.",
    edits: [
      {
        file: "runtime/turn/set-aside/poison.ts",
        find: "  close(layer, home, letter);\n",
        put: "  void [layer, home, letter];\n",
      },
    ],
    witness: { file: "test/runtime/turn/set-aside/poison.test.ts", claim: "G8" },
  },
  {
    name: "a terminal is spoken of where there is none",
    harm: "A question of a service that still waits is said to be answered.",
    edits: [
      {
        file: "machines/evidence/dialog.ts",
        find: "channels.length > 0 && channels.every((channel) => HOOKS.has(channel))",
        put: "channels.length > 0",
      },
    ],
    witness: { file: "test/machines/evidence/dialog.test.ts", claim: "DIALOG-1" },
    second: { file: "test/runtime/rows/views.test.ts", claim: "DIALOG-1" },
  },
  {
    name: "what a service begins counts as the client's going on",
    harm: "A question that nobody answered is said to be answered, and is passed over.",
    edits: [
      {
        file: "machines/routing/calls.ts",
        find: "if (input.oneByOne && (!call.hadPre || call.deferred))",
        put: "if (!call.hadPre || call.deferred)",
      },
    ],
    witness: { file: "test/machines/evidence/dialog.test.ts", claim: "DIALOG-2" },
    second: { file: "test/adapters/http/logs.test.ts", claim: "DIALOG-2" },
  },
  {
    name: "only a state that is entered is told",
    harm: "A card keeps the weaker words it was shown with, and nobody hears that it can be answered here.",
    edits: [
      {
        file: "runtime/rows/changes.ts",
        find: "(annotated || isShownAnew(where.kind, before, now))",
        put: "annotated",
      },
    ],
    witness: { file: "test/runtime/rows/shown-anew.test.ts", claim: "ROWS-CHANGES-1" },
    second: { file: "test/adapters/cli/approvals/follow.words.test.ts", claim: "WAITING-FOLLOW-2" },
  },
  {
    name: "a question that ended while it was held is shown",
    harm: "A person is asked what nobody waits for any more.",
    edits: [
      {
        file: "runtime/text/held-words.ts",
        find: "this.#held.get(key)?.cancel();\n    return this.#held.delete(key);",
        put: "return this.#held.has(key);",
      },
    ],
    witness: { file: "test/runtime/text/held-words.test.ts", claim: "HELD-WORDS-1" },
    second: { file: "test/adapters/cli/approvals/follow.words.test.ts", claim: "WAITING-FOLLOW-1" },
  },
  {
    name: "late words count as the agent's obeying",
    harm: "A denial is said to be obeyed that nobody has heard of yet.",
    edits: [
      {
        file: "adapters/panel/page/inbox/heard.ts",
        find: 'to === "annotated" && toldOfDenied(view as CallAnswer)',
        put: 'to === "annotated"',
      },
    ],
    witness: { file: "test/adapters/panel/page/heard.test.ts", claim: "HEARD-1" },
  },
  {
    name: "a fork's copied lines are taken for its own",
    harm: "A forked session's question is answered by its parent's history, before anybody sees it.",
    edits: [
      {
        file: "machines/routing/past-marks.ts",
        find: "(beganAt !== undefined && observedAt < beganAt)",
        put: "(beganAt !== undefined && observedAt < 0 * beganAt)",
      },
    ],
    witness: { file: "test/machines/routing/past.test.ts", claim: "PAST-1" },
    second: { file: "test/system/live-transcripts.fork.test.ts", claim: "PAST-1" },
  },
  {
    name: "a policy permits what a rule asked a person about",
    harm: "A rule's four eyes, or its question, is answered by nobody.",
    edits: [
      {
        file: "runtime/turn/policy/policy-answering.ts",
        find: 'effect !== "ask" && !approval.isAsked;',
        put: 'effect !== "ask";',
      },
    ],
    witness: { file: "test/runtime/turn/policy-answering.test.ts", claim: "POLICY-ANSWERING-1" },
  },
];

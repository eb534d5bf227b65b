// Rows
// Bugs in what a turn leaves behind in the store.

import type { Bug } from "../bug.ts";

export const ROWS: readonly Bug[] = [
  {
    name: "a replaced deadline keeps its index row",
    harm: "The timer index grows for ever, and each old row is fired again and again.",
    edits: [
      {
        file: "runtime/rows/alarms.ts",
        find: "  if (before?.set) layer.delete(keys.timer(before.at, address, timer));\n",
        put: "",
      },
    ],
    witness: { file: "test/runtime/turn/invariants.test.ts", claim: "I-34" },
  },
  {
    name: "deletes of a failed attempt are not undone",
    harm: "An input that was turned away has taken rows with it.",
    edits: [
      {
        file: "runtime/rows/overlay.ts",
        find: "    this.set(key, GONE);",
        put: "    this.#own.set(key, GONE);",
      },
    ],
    witness: { file: "test/runtime/rows/overlay.test.ts", claim: "I-20" },
  },
  {
    name: "a repeated input is taken for a new one",
    harm: "A message that comes twice is applied twice.",
    edits: [
      {
        file: "runtime/rows/seen.ts",
        find: "  if (layer.get(key) !== undefined) return true;\n",
        put: "",
      },
    ],
    witness: { file: "test/runtime/turn/invariants.test.ts", claim: "I-21" },
  },
  {
    name: "an input is known by its id alone",
    harm: "Two sources with the same id: the second is lost.",
    edits: [
      {
        file: "runtime/rows/seen.ts",
        find: 'isId(source) && isId(id) ? `${source}/${id}` : digest("s_", [source, id])',
        put: 'isId(id) ? id : digest("s_", [id])',
      },
    ],
    witness: { file: "test/runtime/turn/turn.test.ts", claim: "G32" },
  },
  {
    name: "a session that comes back counts from one again",
    harm: "Subscribers drop its changes as old ones.",
    edits: [
      {
        file: "runtime/rows/ledger.ts",
        find: "const left = changes ? { changes, removedAt } : { removedAt };",
        put: "const left = changes && removedAt < 0 ? { changes, removedAt } : { removedAt };",
      },
    ],
    witness: { file: "test/runtime/turn/retention.test.ts", claim: "G33" },
  },
  {
    name: "a verification reads the rows and compares none",
    harm: "A row that was altered at rest passes, and the next decision stands on it.",
    edits: [
      {
        file: "runtime/verify/rows.ts",
        find: "    if (stands === made) return;\n",
        put: "    if (stands !== undefined) return;\n",
      },
    ],
    witness: { file: "test/runtime/verify/rows.test.ts", claim: "VERIFY-ROWS-1" },
    second: { file: "test/adapters/cli/engine/verify.test.ts", claim: "VERIFIED-TEXT-1" },
  },
  {
    name: "a hole in the journal is taken for its beginning",
    harm: "A verification is silent about what was lost, and about all that was before it.",
    edits: [
      {
        file: "runtime/verify/replay.ts",
        find: "    this.known.lose(position);\n",
        put: "    this.known.lose(position);\n    return this.#passOver();\n",
      },
    ],
    witness: { file: "test/runtime/verify/lacking.test.ts", claim: "VERIFY-4" },
    second: { file: "test/runtime/verify/lacking.test.ts", claim: "DUE-2" },
  },
  {
    name: "keys of version 0.1.0 are forgotten by an upgrade",
    harm: "A decision that is sent again is taken as a new one.",
    edits: [
      {
        file: "runtime/door/keyed.ts",
        find: "!isKept(own) && isKept(before)",
        put: "isKept(own) && isKept(before)",
      },
    ],
    witness: { file: "test/runtime/door/keyed.test.ts", claim: "KEYED-2" },
    second: { file: "test/runtime/door/keyed.test.ts", claim: "DOOR-2" },
  },
  {
    name: "forgetting believes which rows are the session's",
    harm: "What was asked in another session is gone from the audit.",
    edits: [
      {
        file: "runtime/turn/forgetting.ts",
        find: `    if (\`\${String(row["workspace"])}/\${String(row["sessionId"])}\` !== home) return;\n`,
        put: "",
      },
    ],
    witness: { file: "test/runtime/turn/forgetting.test.ts", claim: "FORGETTING-4" },
  },
  {
    name: "what is forgotten is kept as long as anything else",
    harm: "Nothing of a session goes before its day is over.",
    edits: [
      {
        file: "runtime/turn/input-attempts.ts",
        find: `message.said.type === "session.forgotten" ? { ...policy, keepMs: 0 } : policy`,
        put: `message.said.type === "session.forgotten" ? policy : policy`,
      },
    ],
    witness: { file: "test/runtime/turn/forgetting.test.ts", claim: "FORGETTING-2" },
  },
];

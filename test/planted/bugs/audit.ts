// Audit
// Bugs in the log that proves what was decided.

import type { Bug } from "../bug.ts";

export const AUDIT: readonly Bug[] = [
  {
    name: "a leaf hashes as a pair does",
    harm: "Two hashes of the tree can be shown as an entry that nobody wrote.",
    edits: [
      {
        file: "runtime/tlog/hashes.ts",
        find: "const LEAF = Buffer.of(0);",
        put: "const LEAF = Buffer.of(1);",
      },
    ],
    witness: { file: "test/runtime/tlog/tree.test.ts", claim: "TLOG-HASHES-1" },
  },
  {
    name: "a checkpoint is signed without a look at the one before",
    harm: "Two processes sign two logs of one size, and no proof leads from one to the other.",
    edits: [
      {
        file: "adapters/audit-log/log-writer.ts",
        find: "    await this.#checkGrown(size, root);\n",
        put: "",
      },
    ],
    witness: { file: "test/adapters/audit-log/audit-log.test.ts", claim: "LOG-WRITER-2" },
  },
  {
    name: "an opening is believed without its salt",
    harm: "A row that was altered is shown as the one that the log has.",
    edits: [
      {
        file: "runtime/audit/entry.ts",
        find: "    commitmentTo(salt, text) === entry.commitment;",
        put: "    entry.commitment.length === 44;",
      },
    ],
    witness: { file: "test/runtime/audit/verify-log.test.ts", claim: "AUDIT-ENTRY-2" },
  },
];

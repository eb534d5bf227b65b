// Redo bugs
// Bugs by which a row is older than its last commit, or comes back, behind a checkpoint or a kill.

import type { Bug } from "../bug.ts";

export const REDO: readonly Bug[] = [
  {
    name: "`folded` stays where it was",
    harm: "The next start looks for redo that is gone, and refuses a store that is whole.",
    edits: [
      {
        file: "adapters/lmdb/fold.ts",
        find: "key: FOLDED, text: String(to) }",
        put: "key: FOLDED, text: String(from - 1) }",
      },
    ],
    witness: { file: "test/adapters/lmdb/redo-log.test.ts", claim: "FOLD-1" },
  },
  {
    name: "what was left in the redo log is not folded",
    harm: "A kill takes back what was acknowledged.",
    edits: [
      {
        file: "adapters/lmdb/environment.ts",
        find: "      await foldLeft(this.dir, tables, (puts) => this.#alone(tables, puts));\n",
        put: "",
      },
    ],
    witness: { file: "test/adapters/lmdb/fold.test.ts", claim: "FOLD-1" },
  },
  {
    name: "redo is removed before its rows are in their places",
    harm: "A kill amid a checkpoint loses rows.",
    edits: [
      {
        file: "adapters/lmdb/redo-log.ts",
        find: "    for (const rows of slices(this.tail)) await (this.#slice = this.#place(rows));\n",
        put: "    await this.#environment.write(foldedPuts(this.#folded + 1, upTo));\n    for (const rows of slices(this.tail)) await (this.#slice = this.#place(rows));\n",
      },
    ],
    witness: { file: "test/adapters/lmdb/redo-log.test.ts", claim: "REDO-LOG-3" },
  },
  {
    name: "a row leaves the tail although it was written again",
    harm: "A read shows what was there before the last commit.",
    edits: [
      {
        file: "adapters/lmdb/tail.ts",
        find: "    if (this.#rows.get(key) !== late) return;\n",
        put: "    if (this.#rows.get(key) === undefined) return;\n",
      },
    ],
    witness: { file: "test/adapters/lmdb/redo-log.test.ts", claim: "TAIL-3" },
  },
  {
    name: "a row leaves the tail before it is in its place",
    harm: "For a moment a read shows an older row, or none.",
    edits: [
      {
        file: "adapters/lmdb/redo-log.ts",
        find: "    await this.#environment.write(\n      rows.map(([key, late]): Put =>",
        put: "    for (const [key, late] of rows) this.tail.settle(key, late);\n    await this.#environment.write(\n      rows.map(([key, late]): Put =>",
      },
    ],
    witness: { file: "test/adapters/lmdb/redo-log.test.ts", claim: "FOLD-1" },
  },
  {
    name: "a removal does not hide the row in its place",
    harm: "What was removed is read again until the next checkpoint.",
    edits: [
      {
        file: "adapters/lmdb/tail.ts",
        find: "        if (!below.done && below.value.key === key) below = placed.next();",
        put: "        if (text !== null && !below.done && below.value.key === key) below = placed.next();",
      },
    ],
    witness: { file: "test/adapters/lmdb/redo-log.test.ts", claim: "TAIL-1" },
  },
  {
    name: "a commit is in the tail before it is durable",
    harm: "A turn goes on from rows that a kill takes back.",
    edits: [
      {
        file: "adapters/lmdb/redo-log.ts",
        find: '    await this.#environment.write([{ table: "redo", key: n, text }]);\n',
        put: '    this.tail.add(writes);\n    await this.#environment.write([{ table: "redo", key: n, text }]);\n',
      },
    ],
    witness: { file: "test/adapters/lmdb/redo-log.test.ts", claim: "REDO-LOG-2" },
  },
  {
    name: "the first commit is redo, like any other",
    harm: "A version that knows no redo opens the folder, and goes on without the last commits.",
    edits: [
      {
        file: "adapters/lmdb/redo-log.ts",
        find: "  #isBegun = false;",
        put: "  #isBegun = true;",
      },
    ],
    witness: { file: "test/adapters/lmdb/redo-log.test.ts", claim: "REDO-LOG-1" },
  },
  {
    name: "a redo row is believed without its checksum",
    harm: "A damaged row is written over a sound one.",
    edits: [
      {
        file: "adapters/lmdb/redo-row.ts",
        find: "bytes.readUInt32LE() === crc32(bytes.subarray(SUM_BYTES), n >>> 0)",
        put: "bytes.readUInt32LE() >= n - n",
      },
    ],
    witness: { file: "test/adapters/lmdb/fold.test.ts", claim: "FOLD-2" },
  },
  {
    name: "a row in its place is believed without its checksum",
    harm: "A row that was altered at rest answers for a session.",
    edits: [
      {
        file: "adapters/lmdb/row-sum.ts",
        find: "stored.endsWith(sumOf(key, text)) ? text : ALTERED",
        put: "stored.endsWith(sumOf(key, text)) ? text : text",
      },
    ],
    witness: { file: "test/adapters/lmdb/row-sum.test.ts", claim: "ROW-SUM-1" },
  },
];

// Durability
// Bugs that tell, publish or forget something before the disk has it, or after it failed.

import type { Bug } from "../bug.ts";

export const DURABILITY: readonly Bug[] = [
  {
    name: "a caller is answered before the commit",
    harm: "A crash takes back what somebody was told.",
    edits: [
      {
        file: "runtime/engine/commit.ts",
        find: "    await this.#store.commit(\n",
        put: "    this.#release(results, undefined);\n    await this.#store.commit(\n",
      },
      {
        file: "runtime/engine/commit.ts",
        find: "    this.#flight = undefined;\n    this.#release(results, timer);",
        put: "    this.#flight = undefined;",
      },
    ],
    witness: { file: "test/runtime/engine/commit.test.ts", claim: "G4" },
  },
  {
    name: "a commit is done before the disk has it",
    harm: "A loss of power takes back what was published.",
    edits: [
      {
        file: "adapters/lmdb/tables.ts",
        find: "overlappingSync: false",
        put: "overlappingSync: false, noSync: true",
      },
    ],
    witness: { file: "test/adapters/lmdb/crash.test.ts", claim: "PORTS-2" },
  },
  {
    name: "a write is tried again after a failed sync",
    harm: "The disk dropped the pages; a later success hides that.",
    edits: [
      {
        file: "adapters/lmdb/environment.ts",
        find: "    this.#failure = error;\n    for (const { reject }",
        put: "    for (const { reject }",
      },
    ],
    witness: { file: "test/adapters/lmdb/crash.test.ts", claim: "PORTS-2" },
  },
  {
    name: "the name of a blob is not synced",
    harm: "After a loss of power an entry names a blob that is gone.",
    edits: [
      {
        file: "adapters/blob-files/blob-files.ts",
        find: "    // An earlier process may have written the file, and died before the file's name was on disk. So the folder is synced even\n    // if the file was there.\n    await sync(this.#dir);\n",
        put: "",
      },
    ],
    witness: { file: "test/adapters/blob-files/blob-files.test.ts", claim: "BLOB-FILES-1" },
  },
  {
    name: "the text of a blob is not synced",
    harm: "After a loss of power a blob has a name and no content.",
    edits: [
      {
        file: "adapters/blob-files/blob-files.ts",
        find: "        await file.utimes(now, now);\n        await file.sync();\n",
        put: "        await file.utimes(now, now);\n",
      },
    ],
    witness: { file: "test/adapters/blob-files/blob-files.test.ts", claim: "BLOB-FILES-1" },
  },
  {
    name: "two writers share one draft",
    harm: "Two that make a secret at once end with half of each.",
    edits: [
      {
        file: "adapters/data-folder/own-file.ts",
        find: "const draft = `${path}.${randomUUID()}`;",
        put: "const draft = `${path}.${randomUUID().slice(0, 0)}`;",
      },
    ],
    witness: { file: "test/adapters/data-folder/data-folder.test.ts", claim: "SECRET-2" },
  },
  {
    name: "the epoch is not asked for",
    harm: "An engine that was taken over from goes on writing.",
    edits: [
      {
        file: "adapters/lmdb/transaction.ts",
        find: "fence.ifVersion(EPOCH, epoch, apply)",
        put: "fence.ifVersion(EPOCH, readEpoch(tables), apply)",
      },
    ],
    witness: { file: "test/adapters/lmdb/store.test.ts", claim: "PORTS-3" },
  },
  {
    name: "a change counts as published before its PubAck",
    harm: "A server that dies loses changes for good.",
    edits: [
      {
        file: "adapters/nats/outlet.ts",
        find: "      await this.#acks.publish(message).catch(",
        put: "      void this.#acks.publish(message).catch(",
      },
    ],
    witness: { file: "test/adapters/nats/outlet.test.ts", claim: "OUTBOX-1" },
  },
  {
    name: "a restored row is believed as it is",
    harm: "A damaged row lives on as another state.",
    edits: [
      {
        file: "runtime/rows/actors/machine-table.ts",
        find: "!isDeepStrictEqual(",
        put: "false && !isDeepStrictEqual(",
      },
    ],
    witness: { file: "test/runtime/rows/damage.test.ts", claim: "G9" },
  },
  {
    name: "a journal is gone on with under another name",
    harm: "Positions of a new journal are taken for those of the old one.",
    edits: [
      {
        file: "runtime/journal/cursor.ts",
        find: "if (from.incarnation !== journal.incarnation) {",
        put: 'if (from.incarnation === "") {',
      },
    ],
    witness: { file: "test/adapters/contracts/contracts.test.ts", claim: "G3" },
  },
  {
    name: "a fresh store begins at the oldest entry kept",
    harm: "A new folder knows half of the sessions and says that it is ready.",
    edits: [
      {
        file: "runtime/journal/cursor.ts",
        find: "cursor ?? { incarnation: journal.incarnation, position: 0 }",
        put: "cursor ?? { incarnation: journal.incarnation, position: journal.trimmed }",
      },
    ],
    witness: { file: "test/adapters/contracts/contracts.test.ts", claim: "JOURNAL-CURSOR-2" },
    second: { file: "test/runtime/engine/starting.test.ts", claim: "JOURNAL-CURSOR-2" },
  },
  {
    name: "a fresh store takes the log of the one before for its own",
    harm: "Followers with an old place miss changes, and are not told.",
    edits: [
      {
        file: "runtime/engine/store-journal.ts",
        find: "return lack ? { meta: underNewLog(meta, now), lack } : { meta };",
        put: "return lack ? { meta, lack } : { meta };",
      },
    ],
    witness: { file: "test/runtime/engine/starting.test.ts", claim: "STORE-JOURNAL-4" },
  },
  {
    name: "a restored folder goes on under the old log's name",
    harm: "Followers of the old folder take other changes for those they have seen, and miss some.",
    edits: [
      {
        file: "adapters/composition/backup/restore.ts",
        find: "const named = head.hasJournal ? { textOf: underAnotherLog } : {};",
        put: "const named = {};",
      },
    ],
    witness: { file: "test/adapters/composition/backup.log.test.ts", claim: "RESTORE-5" },
  },
  {
    name: "nobody looks for the seals of another key",
    harm: "Without the old folder's key every decision becomes a forger's, and denied approvals are pending.",
    edits: [
      {
        file: "adapters/nats/strange-seals.ts",
        find: "return isOwn ? rangesOf(strange) : [];",
        put: "return [];",
      },
    ],
    witness: { file: "test/adapters/nats/client/lost-folder.test.ts", claim: "NATS-JOURNAL-5" },
    second: { file: "test/adapters/nats/strange-seals.test.ts", claim: "STRANGE-SEALS-1" },
  },
  {
    name: "only the headers of a store's file are looked at",
    harm: "A torn copy of a folder ends the process by a segmentation fault, without a word.",
    edits: [
      {
        file: "adapters/lmdb/data-file.ts",
        find: "  if (!isThorough && !isShort) return",
        put: "  if (!isShort) return",
      },
    ],
    witness: { file: "test/adapters/lmdb/damaged.test.ts", claim: "G23" },
    second: { file: "test/adapters/lmdb/orderly.test.ts", claim: "ORDERLY-1" },
  },
  {
    name: "the mark of an orderly end is believed for any file",
    harm: "A copy that carries the mark along is mapped as it is, and ends the process.",
    edits: [
      {
        file: "adapters/lmdb/orderly.ts",
        find: "return found !== undefined && marked === found;",
        put: "return found !== undefined;",
      },
    ],
    witness: { file: "test/adapters/lmdb/orderly.test.ts", claim: "ORDERLY-1" },
    second: { file: "test/adapters/lmdb/damaged.test.ts", claim: "G23" },
  },
];

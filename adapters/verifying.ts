// Verifying
// Replays the journal of a data folder and compares what its entries led to.
//
//   Owns:          which folders can be verified, reading one without an engine.
//   Does not own:  comparing (runtime/verify), the messages (cli).
//
// VERIFYING-1. No row and no entry is changed. The store is taken over meanwhile, as by a start, so that no engine writes
//     to it.

import { readBinding, checkHeld, type DataFolder, inWords, makeFolder } from "./data-folder/index.ts";
import { openLmdb } from "./lmdb/index.ts";
import { MemoryDisk, MemoryStore } from "./memory/index.ts";
import { StoreJournal } from "../runtime/engine/store-journal.ts";
import type { Verified, Verifying } from "../runtime/verify/verified.ts";
import { verify } from "../runtime/verify/verify.ts";
import { RefusedError } from "../runtime/errors.ts";
import { digestId } from "../runtime/foreign-id.ts";
import { openMeta } from "../runtime/rows/meta.ts";
import { WorkingSet } from "../runtime/rows/working-set.ts";
import { markOf, systemClock } from "./system/index.ts";
import { translate } from "./translate.ts";
import { version } from "./version.ts";

/** What of the folder is looked at. */
export type Wish = Pick<Verifying, "from" | "session" | "progress">;

/**
 * @throws RefusedError NO_STORE, JOURNAL_ELSEWHERE and as `makeFolder`; FatalError STORE_BUSY while an engine runs,
 *   STORE_FORMAT for a store of another version, and as the store and the journal do.
 */
export async function verifyFolder(folder: DataFolder, wish: Wish): Promise<Verified> {
  const known = await checkHeld(folder);
  const binding = await readBinding(folder);
  if (!binding) throw noStore(folder.dir);
  if (binding.kind !== "embedded") throw elsewhere(folder.dir);
  await makeFolder(folder);
  return inWords(folder.dir, async () => {
    const { store, journal, close } = openLmdb(folder.store, systemClock(), { known, markOf });
    await store.open();
    try {
      const meta = openMeta(new WorkingSet(store));
      const entries = new StoreJournal(journal);
      await entries.open(meta, false);
      const into = new MemoryStore(new MemoryDisk("replay"));
      const entry: Verifying["entry"] = (position) => entries.entry(position);
      return await verify({
        ...wish,
        found: store,
        entry,
        first: () => entries.first(),
        into,
        digest: digestId,
        translate,
        build: version,
      });
    } finally {
      await close();
    }
  });
}

const noStore = (dir: string): RefusedError =>
  new RefusedError(
    "NO_STORE",
    `There is no store in ${dir}.`,
    "Name the engine's data folder: npx signalbox verify --data DIR",
  );

const elsewhere = (dir: string): RefusedError =>
  new RefusedError(
    "JOURNAL_ELSEWHERE",
    `The journal of ${dir} is on a NATS server; only the built-in journal can be replayed here.`,
    "Verify a folder that was started with --nats off.",
  );

// Verifying
// Replays the journal of a data folder, and compares each entry's result with the stored one.
//
//   Owns:          which folders can be verified, reading a folder without an engine.
//   Does not own:  a journal on a NATS server (kept-journal.ts), comparing (runtime/verify), the messages (cli).
//
// VERIFYING-1. The verification changes no row and no entry. It takes the store over as a starting engine does, so that no engine
//     writes to the store meanwhile.
// VERIFYING-2. If the journal lacks entries, its other entries are replayed, and the results that depend on the missing entries
//     are counted.

import {
  type Binding,
  readBinding,
  checkHeld,
  type DataFolder,
  inWords,
  makeFolder,
  noStore,
} from "../data-folder/index.ts";
import { type KeptJournal, keptOnNats, type Surroundings, unread } from "./kept-journal.ts";
import { type LmdbFolder, openLmdb } from "../lmdb/index.ts";
import { MemoryDisk, MemoryStore } from "../memory/index.ts";
import { StoreJournal } from "../../runtime/engine/store-journal.ts";
import type { Verified, Verifying } from "../../runtime/verify/verified.ts";
import { verify } from "../../runtime/verify/verify.ts";
import { JournalRegressed } from "../../runtime/errors/errors.ts";
import { digestId } from "../../runtime/foreign-id.ts";
import { type Meta, openMeta } from "../../runtime/rows/meta.ts";
import { WorkingSet } from "../../runtime/rows/working-set.ts";
import { markOf, systemClock } from "../system/index.ts";
import { clients, translate } from "./clients.ts";
import { version } from "../version.ts";

export type Wish = Pick<Verifying, "from" | "session" | "progress">;

/**
 * @param where to look for a NATS server, if the folder's journal is on one.
 * @throws RefusedError NO_STORE, JOURNAL_UNREAD and as `makeFolder` does; FatalError STORE_BUSY while an engine runs,
 * STORE_FORMAT for a store of another version, and as the store and the journal do.
 */
export async function verifyFolder(
  folder: DataFolder,
  wish: Wish,
  where: Surroundings = {},
): Promise<Verified> {
  const known = await checkHeld(folder);
  const binding = await readBinding(folder);
  if (!binding) throw noStore(folder.dir, "verify");
  await makeFolder(folder);
  return inWords(folder.dir, async () => {
    const own = openLmdb(folder.store, systemClock(), { known, markOf });
    await own.store.open();
    try {
      const kept = await keptBy(folder, binding, own, where).catch((error: unknown) => {
        throw unread(folder.dir, error);
      });
      return await compare(own, kept, wish)
        .catch((error: unknown) => {
          throw binding.kind === "embedded" ? error : unread(folder.dir, error);
        })
        .finally(() => kept.close());
    } finally {
      await own.close();
    }
  });
}

async function keptBy(
  folder: DataFolder,
  binding: Binding,
  { journal }: LmdbFolder,
  where: Surroundings,
): Promise<KeptJournal> {
  if (binding.kind === "embedded") return { journal, close: () => Promise.resolve() };
  return keptOnNats(folder, binding, where);
}

async function compare({ store }: LmdbFolder, { journal }: KeptJournal, wish: Wish): Promise<Verified> {
  const meta = openMeta(new WorkingSet(store));
  const entries = new StoreJournal(journal, clients.defaults);
  await openAsItIs(entries, meta);
  return verify({
    ...wish,
    found: store,
    entry: (position) => entries.entry(position),
    first: () => entries.first(),
    into: new MemoryStore(new MemoryDisk("replay")),
    digest: digestId,
    translate,
    clients,
    build: version,
  });
}

/** Opens a journal even if it lacks entries (VERIFYING-2). @throws JournalRegressed if the store has read another journal. */
async function openAsItIs(entries: StoreJournal, meta: Meta | undefined): Promise<void> {
  try {
    await entries.open(meta, false);
  } catch (error) {
    if (!(error instanceof JournalRegressed && error.isSame)) throw error;
    await entries.open(meta, true);
  }
}

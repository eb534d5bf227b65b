// Verify
// Replays what a journal still holds into an empty store, and names each entry that leads to something else this time,
// and each row that is not what the replay made.
//
//   Owns:          from which entry to which it goes, telling how far it is.
//   Does not own:  what it says (verified), replaying (replay), comparing rows (rows), reading a folder, telling
//                  people (adapters).
//   Decided in:    docs/decisions/0044-proof-by-replay.md, docs/decisions/0059-rows-that-a-replay-makes.md.
//
// VERIFY-1. Without a defect, and by the build that made the rows, no entry is named: what a turn depends on is its entry,
//     the rows below it, and what its proof notes.
// VERIFY-2. Where the journal no longer begins at its first entry, or lacks some, only sessions that began later are
//     compared, and from the next change of settings on only those that began after that. A workspace that has a rule
//     from before is not compared.
// VERIFY-3. The store that is verified is only read.
// VERIFY-4. An entry that is not there, behind the first that was kept, is named as missing: nothing before it is. One that
//     left a proof was applied, and was lost later.

import type { Store } from "../ports.ts";
import { openMeta } from "../rows/meta.ts";
import { WorkingSet } from "../rows/working-set.ts";
import { Replay } from "./replay.ts";
import type { Verified, Verifying } from "./verified.ts";

const TOLD_EVERY = 256;

/** @throws FatalError STORE_FORMAT, and as the store and the journal do. */
export async function verify(verifying: Verifying): Promise<Verified> {
  const { found, into, progress = () => undefined } = verifying;
  const known = openMeta(new WorkingSet(found as Store));
  const last = known?.position ?? 0;
  // The entry at the cursor is never trimmed.
  const first = last === 0 ? 1 : Math.min(await verifying.first(), last);
  await into.open();
  const replay = new Replay(verifying, known, first);
  if (first > 1) await replay.settle(first);
  for (let position = first; position <= last; position += 1) {
    await replay.take(position);
    if ((position - first) % TOLD_EVERY === 0) progress(position - first, last - first + 1);
  }
  progress(last - first + 1, last - first + 1);
  return replay.end();
}

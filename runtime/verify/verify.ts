// Verify
// Replays what a journal still holds into an empty store, and names each entry that leads to something else this time,
// and each row that is not what the replay made.
//
//   Owns:          from which entry to which it goes, telling how far it is.
//   Does not own:  what it says (verified), replaying (replay), comparing rows (rows), reading a folder, telling people (adapters).
//   Decided in:    docs/decisions/0044-proof-by-replay.md, docs/decisions/0059-rows-that-a-replay-makes.md.
//
// VERIFY-3. The store that is verified is only read.

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

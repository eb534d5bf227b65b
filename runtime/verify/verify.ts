// Verify
// Replays the entries of a journal into an empty store, and names each entry with another result than before, and each row
// that differs from the replay's.
//
//   Owns:          the range of entries, reporting progress.
//   Does not own:  the form of the result (verified), replaying (replay), comparing rows (rows), reading a folder and showing
//                  the result (adapters).
//   Decided in:    docs/decisions/0044-proof-by-replay.md, docs/decisions/0059-rows-that-a-replay-makes.md.
//
// VERIFY-1. Without a defect, and by the build that made the rows, no entry is named, because a turn depends only on its
//     entry, the rows below it, and the notes in its proof.
// VERIFY-2. If the journal no longer begins at its first entry, or lacks entries, only sessions that began later are
//     compared; after the next change of settings, only sessions that began after that. A workspace that has a rule from
//     before is not compared.
// VERIFY-3. The store that is verified is only read.
// VERIFY-4. An absent entry after the first kept one is named as missing; entries before it were trimmed. A missing entry
//     that left a proof was applied, and was lost later.

import type { Store } from "../ports.ts";
import { openMeta } from "../rows/meta.ts";
import { WorkingSet } from "../rows/working-set.ts";
import { Replay } from "./replay.ts";
import type { Verified, Verifying } from "./verified.ts";

const TOLD_EVERY = 256;

/** @throws FatalError STORE_FORMAT, and the errors of the store and the journal. */
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

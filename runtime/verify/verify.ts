// Verify
// Replays the entries of a journal into an empty store, and reports each entry whose result does not match its stored proof (a
// digest of the result), and each stored row that differs from the row of the replay.
//
//   Owns:          which entries are replayed, reporting the progress.
//   Does not own:  the form of the result (verified), replaying (replay), comparing rows (rows), opening files and describing the
//                  result in words (adapters).
//   Decided in:    docs/decisions/0044-proof-by-replay.md, docs/decisions/0059-rows-that-a-replay-makes.md.
//
// VERIFY-1. If the same build that made the rows replays the entries, and the build has no defect, no entry is reported,
//     because a turn depends only on its entry, on the rows before it, and on what its proof records besides the digest, such
//     as that the entry was treated as poison.
// VERIFY-2. If the journal no longer has its first entry, or lacks later entries, only sessions that began after the missing
//     entries are compared. If a later entry changes the settings, the settings before that entry are unknown, so only
//     sessions that began after it are compared. A workspace with a rule from before the missing entries is not compared.
// VERIFY-3. A verification only reads the store that it verifies, and never writes to it.
// VERIFY-4. Entries before the first entry in the journal were trimmed, and are not reported. Any other absent entry is
//     reported as missing. If a missing entry left a proof, the engine applied it, and the journal lost it later.

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
  // The entry at the cursor is never trimmed, so the replay has at least this entry.
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

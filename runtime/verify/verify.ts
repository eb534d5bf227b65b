// Verify
// Replays the entries of a journal into an empty store. Names each entry whose result differs from the stored proof, and each
// row that differs from the replay's.
//
//   Owns:          the range of entries, reporting progress.
//   Does not own:  the form of the result (verified), replaying (replay), comparing rows (rows), reading a folder and showing
//                  the result (adapters).
//   Decided in:    docs/decisions/0044-proof-by-replay.md, docs/decisions/0059-rows-that-a-replay-makes.md.
//
// VERIFY-1. If the build that made the rows replays them, and has no defect, no entry is named: a turn depends only on its
//     entry, the rows before it, and the notes in its proof.
// VERIFY-2. If the journal no longer has its first entry, or lacks later ones, only sessions that began after the missing
//     entries are compared. From the next change of settings on, only sessions that began after that change are compared. A
//     workspace with a rule from before the missing entries is not compared.
// VERIFY-3. The store that is verified is only read.
// VERIFY-4. Entries before the first one in the journal were trimmed, and are not named. Any other absent entry is named as
//     missing. If a missing entry left a proof, the engine applied it, and the journal lost it later.

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

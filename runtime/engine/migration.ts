// Migration
// Converts a store of an earlier format to the present format when the store is opened.
//
//   Owns:          from which formats a store is converted; refusing a store of these formats to which an earlier release must do
//                  something first.
//   Does not own:  the present format (keys), refusing all other formats (meta).
//   Decided in:    docs/decisions/0024-stores-of-an-older-format.md, docs/decisions/0108-formats-before-the-first-release.md.
//
// MIGRATION-2. The conversion is one commit of one row. So a store whose conversion was interrupted has either the old or the new
//     format, and is complete.
// MIGRATION-3. Converting a store of format 3 changes only the row that names the format. The old log rows, one for each change,
//     stay until they are old enough to be removed, and are read beside this version's rows (TURN-CHANGES-2).
// MIGRATION-4. Converting a store of format 4 changes only the row that names the format. A book that has a row of its own stays
//     in that row (SESSION-RECORDS-4).
// MIGRATION-5. Converting a store of format 5 changes only the row that names the format. That row is written before the store
//     gets a redo log, because a version that writes format 5 cannot read a redo log.
// MIGRATION-6. A store of format 2, one whose conversion from format 2 was interrupted, and one that may lack deadlines are
//     refused and left unchanged. The refusal says how Signalbox 0.2.0 converts them. Other rows that builds before release
//     0.1.0 wrote are still read in their old form: 0.1.0 and 0.2.0 wrote such a row anew only when it changed, so a store may
//     have some.

import { storeUnended } from "../errors/errors.ts";
import { decode } from "../rows/codec.ts";
import { keys } from "../rows/keys.ts";
import { FORMAT } from "../rows/meta.ts";
import type { Store } from "../ports.ts";
import { hasUnended } from "../turn/unended.ts";

const BEFORE = [3, 4, 5] as const;

export interface Migrating {
  readonly from: number;
  readonly to: number;
}

/**
 * Converts a store of an earlier format to this one; leaves every other store as it is.
 * @throws FatalError STORE_FORMAT (MIGRATION-6), and what `commit` throws.
 */
export async function migrate(store: Store, tell: (migrating: Migrating) => void): Promise<void> {
  const text = store.get(keys.meta);
  if (text === undefined) return;
  // In every version, the meta row names the format of the store.
  const meta = decode(keys.meta, text) as { readonly format?: unknown };
  const from = BEFORE.find((format) => format === meta.format);
  if (from === undefined && meta.format !== FORMAT) return;
  if (hasUnended(store)) throw storeUnended();
  if (from === undefined) return;
  await store.commit([{ put: keys.meta, value: JSON.stringify({ ...meta, format: FORMAT }) }]);
  tell({ from, to: FORMAT });
}

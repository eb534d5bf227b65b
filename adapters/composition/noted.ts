// Noted
// Records in a data folder which journal the engine has, and what the folder contains.
//
//   Owns:          at which step of a start each record is written.
//   Does not own:  the files (data-folder), starting (engine).

import type { Engine } from "../../runtime/engine/engine.ts";
import type { NatsSettings } from "../../runtime/engine-settings.ts";
import {
  type Binding,
  type DataFolder,
  journalDiffers,
  readBinding,
  writeBinding,
  writeRecord,
} from "../data-folder/index.ts";
import { shownAddress } from "../nats/address.ts";

interface Noting {
  readonly folder?: DataFolder;
  readonly nats?: NatsSettings;
  readonly adopts?: boolean;
}

export async function startNoted(engine: Engine, options: Noting, onError: (error: unknown) => void) {
  const { folder } = options;
  if (!folder) return engine.start();
  const bind = await binder(folder, options);
  const started = await engine.start();
  try {
    await bind();
    await writeRecord(folder, started.epoch);
  } catch (error) {
    onError(error); // The engine runs even if it could not write the record; its next start writes the record.
  }
  return started;
}

/**
 * Records the journal of a new folder before its store is created, or of a folder that adopts another journal.
 * @returns a function that records the journal of any folder: the caller calls it once the engine has started with this journal.
 * @throws RefusedError JOURNAL_DIFFERS if the folder's record names another kind of journal, and the folder adopts none.
 */
async function binder(folder: DataFolder, { nats, adopts = false }: Noting) {
  const wanted = bindingOf(nats);
  const found = await readBinding(folder);
  if (found && found.kind !== wanted.kind && !adopts) throw journalDiffers(folder.dir, found, wanted);
  const note = (): Promise<void> => writeBinding(folder, wanted);
  if (!found || adopts) await note();
  return note;
}

function bindingOf(nats: NatsSettings | undefined): Binding {
  if (!nats) return { kind: "embedded" };
  return nats.isPrivate ? { kind: "private" } : { kind: "server", at: shownAddress(nats.url) ?? "?" };
}

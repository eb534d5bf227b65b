// Kept journal
// Opens the journal that a data folder's store has read from, for a program that is not the folder's engine.
//
//   Owns:          finding the journal's server or starting the folder's own; the message if the journal cannot be read.
//   Does not own:  reading entries, what the entries are compared with (verifying.ts).
//
// KEPT-JOURNAL-1. The program only reads the journal: it makes no stream and no consumer, publishes, trims and acknowledges
//     nothing, and changes no setting. If the folder has its own NATS server, that server is started as for an engine, and ended
//     afterwards.
// KEPT-JOURNAL-2. If the journal cannot be read, or is not the one that the store has read from, the message says so, and says
//     that nothing was compared.
// KEPT-JOURNAL-3. If the program starts the folder's own NATS server, this server ends together with the program, even if a
//     signal ends the program.

import { type Binding, type DataFolder, ensureKey } from "../data-folder/index.ts";
import { clients } from "./clients.ts";
import { natsKeyAt } from "./nats-key.ts";
import { findNatsServer, keyFileOf } from "../nats-server/index.ts";
import { readNats } from "../nats/index.ts";
import { runOwnNats } from "./own-nats.ts";
import { exitOnSignal, systemClock } from "../system/index.ts";
import { JournalRegressed, RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import type { Journal } from "../../runtime/ports.ts";

export interface Surroundings {
  /** The variable PATH, on which the program of a folder's own NATS server is looked for. */
  readonly path?: string | undefined;
  /** The variable SIGNALBOX_NATS_URL: the address of the NATS server, unless the server is the folder's own. */
  readonly url?: string | undefined;
  /** The variable SIGNALBOX_NATS_NKEY: the file with the key for the NATS server, unless the server is the folder's own. */
  readonly nkey?: string | undefined;
}

export interface KeptJournal {
  readonly journal: Journal;
  close(): Promise<void>;
}

type OnNats = Exclude<Binding, { readonly kind: "embedded" }>;

/** @throws RefusedError JOURNAL_UNREAD; the errors of `readNats` and `runPrivateServer`. */
export async function keptOnNats(
  folder: DataFolder,
  binding: OnNats,
  where: Surroundings,
): Promise<KeptJournal> {
  const sealKey = await ensureKey(folder);
  const clock = systemClock();
  if (binding.kind === "private") {
    const server = await runServer(folder, where);
    try {
      const key = await natsKeyAt(keyFileOf(folder.nats));
      const reading = await readNats({ url: server.url, key, sealKey, clients, clock });
      return { journal: reading.journal, close: () => reading.close().finally(() => server.stop()) };
    } catch (error) {
      await server.stop();
      throw error;
    }
  }
  const { url, nkey } = where;
  if (url === undefined) throw unnamed(folder.dir, binding.at);
  const key = nkey === undefined ? undefined : await natsKeyAt(nkey);
  return readNats({ url, key, sealKey, clients, clock });
}

async function runServer(folder: DataFolder, { path }: Surroundings) {
  const binary = await findNatsServer(path);
  if (!binary) throw noProgram(folder.dir);
  const restore = exitOnSignal();
  try {
    const server = await runOwnNats(folder, binary, () => undefined);
    return { url: server.url, stop: () => server.stop().finally(restore) };
  } catch (error) {
    restore();
    throw error;
  }
}

/** @returns the error to throw if reading the journal has failed (KEPT-JOURNAL-2). */
export function unread(dir: string, error: unknown): unknown {
  const { message, next } = error as RetryableError;
  if (error instanceof JournalRegressed)
    return notReadable(
      dir,
      message,
      "Name the NATS server that the folder's engine used, or restore that engine's journal.",
    );
  return error instanceof RetryableError ? notReadable(dir, message, next) : error;
}

const notReadable = (dir: string, why: string, next: string): RefusedError =>
  new RefusedError(
    "JOURNAL_UNREAD",
    `The journal of ${dir} cannot be replayed, so nothing was compared, neither entries nor rows: ${why}`,
    next,
  );

const unnamed = (dir: string, at: string): RefusedError =>
  notReadable(
    dir,
    `it is on the NATS server at ${at}, and SIGNALBOX_NATS_URL is not set.`,
    "Set SIGNALBOX_NATS_URL as for `npx signalbox up`, and SIGNALBOX_NATS_NKEY if the server wants a key.",
  );

const noProgram = (dir: string): RefusedError =>
  notReadable(
    dir,
    "it is on the folder's private NATS server, and no nats-server is on the PATH.",
    "Install nats-server again (Debian: apt-get install nats-server).",
  );

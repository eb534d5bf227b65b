// Kept journal
// Opens the journal that a data folder's store has read from, for a program that is not its engine.
//
//   Owns:          finding its server or starting the folder's own; the message if the journal cannot be read.
//   Does not own:  reading entries, what they are compared with (verifying.ts).
//
// KEPT-JOURNAL-1. The journal is only read: no stream and no consumer is made, nothing is published, trimmed or acknowledged. On
//     a server that others run, no setting is changed either, and their programs notice nothing. The folder's own server is
//     started with its key and its configuration, as for an engine, and ended afterwards.
// KEPT-JOURNAL-2. If the journal cannot be read, or is not the one the store has read from, a sentence says so, and that nothing
//     was compared.
// KEPT-JOURNAL-3. The folder's own server ends with this process, also if a signal ends the process. A terminal's Ctrl-C does not
//     reach the server.

import { type Binding, type DataFolder, ensureKey } from "../data-folder/index.ts";
import { clients } from "./clients.ts";
import { natsKeyAt } from "./nats-key.ts";
import { findNatsServer, keyFileOf } from "../nats-server/index.ts";
import { readNats } from "../nats/index.ts";
import { runOwnNats } from "./own-nats.ts";
import { exitOnSignal, systemClock } from "../system/index.ts";
import { JournalRegressed, RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import type { Journal } from "../../runtime/ports.ts";

/** Where to look for a NATS server. */
export interface Surroundings {
  /** PATH, for the program of a folder's own server. */
  readonly path?: string | undefined;
  /** SIGNALBOX_NATS_URL and SIGNALBOX_NATS_NKEY, for any other server. */
  readonly url?: string | undefined;
  readonly nkey?: string | undefined;
}

export interface KeptJournal {
  readonly journal: Journal;
  close(): Promise<void>;
}

type OnNats = Exclude<Binding, { readonly kind: "embedded" }>;

/**
 * @throws RefusedError JOURNAL_UNREAD and as `readNats` and `runPrivateServer`; FatalError STORE_BUSY while the folder's own
 * server runs.
 */
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

/** Says that the journal could not be read (KEPT-JOURNAL-2). @returns the error to throw instead of an error in reading. */
export function unread(dir: string, error: unknown): unknown {
  const { message, next } = error as RetryableError;
  if (error instanceof JournalRegressed)
    return notReadable(
      dir,
      message,
      "Name the server that the folder's engine used, or put its journal back.",
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

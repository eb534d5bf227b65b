// Signalbox
// The library: an engine inside your own process.
//
//   Owns:          the public names.
//   Does not own:  anything behind them.

import type { TakenEvents } from "../runtime/door/door.ts";
import { composeEngine, type Composed, type ComposeOptions } from "./compose.ts";
import { dataFolder, ensureSecret, makeFolder } from "./data-folder/index.ts";

export interface CreateEngineOptions extends Pick<
  ComposeOptions,
  "configuration" | "outlet" | "log" | "onFatal" | "adopts"
> {
  /** The folder to keep data in; undefined keeps nothing. */
  readonly dataDir?: string;
  /** Undefined for an engine without HTTP; 0 takes any port. The token is that of the data folder. */
  readonly port?: number;
  /** The NATS server that has the journal and gets the changes; undefined for the folder's own. Needs a dataDir. */
  readonly nats?: { readonly url: string };
}

export interface SignalboxEngine extends Omit<Composed, "connect" | "start"> {
  /**
   * Sends one event, or a list, as CloudEvents envelopes.
   * @returns what became of each, once that is durable.
   * @throws RefusedError, RetryableError as `POST /v1/events` does.
   */
  send(events: unknown): Promise<TakenEvents>;
}

/**
 * Starts an engine in this process.
 * @returns the engine, ready. Call `stop` before the process ends.
 * @throws FatalError STORE_BUSY when another process has the folder, RetryableError STORE_FULL when its disk is full,
 *   RefusedError PORT_IN_USE, JOURNAL_DIFFERS for a folder begun with another journal; of NATS, RetryableError
 *   NATS_UNAVAILABLE and RefusedError where it will not do.
 */
export async function createEngine(options: CreateEngineOptions = {}): Promise<SignalboxEngine> {
  const { dataDir, port, nats, ...rest } = options;
  const folder = dataDir === undefined ? undefined : dataFolder(dataDir, process.env);
  if (folder) await makeFolder(folder);
  if (port !== undefined && !folder) throw new Error("An engine with a port needs a dataDir, for its token.");
  const http = port !== undefined && folder && { port, token: await ensureSecret(folder.token) };
  const place = nats && { nats: { url: nats.url, isPrivate: false } };
  const composed = await composeEngine({
    ...rest,
    ...(folder && { folder }),
    ...(http && { http }),
    ...place,
  });
  try {
    await composed.connect();
    await composed.start();
  } catch (error) {
    await composed.stop();
    throw error;
  }
  const caller = { door: "library", by: "library" };
  return { ...composed, send: (events) => composed.door.events(Buffer.from(JSON.stringify(events)), caller) };
}

export { stderrLog } from "./log/index.ts";
export type { Log } from "./log/index.ts";
export type { Configuration } from "../runtime/config.ts";
export type { StateChange } from "../runtime/changes.ts";
export type { Outlet, OutgoingChange } from "../runtime/ports.ts";
export { FatalError, InvariantViolation, RefusedError, RetryableError } from "../runtime/errors.ts";

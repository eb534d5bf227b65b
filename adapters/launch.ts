// Launch
// Starts an engine for the commands: on a data folder, or one that keeps nothing.
//
//   Owns:          the folder's token and address, which steps of a start are waited for, errors nobody caught.
//   Does not own:  putting an engine together (compose.ts), what is waited out (patience.ts), the process and its signals (cli).
//
// LAUNCH-1. A disk that is full or read-only at the start and a NATS server that is away are waited out, with HTTP up
//     and not ready; any other failure ends the start.
// LAUNCH-2. The folder's address is written once the engine is ready.

import { randomBytes } from "node:crypto";
import type { Lost } from "../runtime/turn/missing.ts";
import type { Quota } from "../runtime/quota.ts";
import type { Trouble } from "../runtime/trouble.ts";
import { composeEngine, type Composed, endProcess, EXIT_FAILED } from "./compose.ts";
import { type DataFolder, ensureSecret, makeFolder, readTokens, writeAddress } from "./data-folder/index.ts";
import { stderrLog } from "./log/index.ts";
import type { NatsPlace } from "./noted.ts";
import { patience } from "./patience.ts";

export interface Launched {
  readonly url: string;
  readonly token: string;
  /** What the start went on without. */
  readonly lost?: Lost;
  stop(): Promise<void>;
}

export interface LaunchOptions {
  readonly folder: DataFolder;
  readonly port: number;
  /** Default 127.0.0.1; another one needs a token with a name. */
  readonly host?: string;
  /** Names by which others reach it. */
  readonly names?: readonly string[];
  /** A shell command to run for each new question. */
  readonly notifyCommand?: string;
  /** A folder in which each request is mirrored as a file, for scripts. */
  readonly stateFiles?: string;
  /** What one workspace may send, and have kept; the rest has its default. */
  readonly quota?: Partial<Quota>;
  /** Undefined for the built-in journal. */
  readonly nats?: NatsPlace;
  /** Whether the store may leave the journal it has read from. */
  readonly adopts: boolean;
  /** Whether the clock is believed, however far it is from the last entry. */
  readonly acceptsClock: boolean;
  /** As pino names them. */
  readonly logLevel: string;
  /** Called when a start begins to wait, with the reason. */
  readonly onWaiting: (reason: string, next: string) => void;
  /** Called when an entry that ended processes was set aside. */
  readonly onMended: (reason: string, next: string) => void;
  /** Called when something should be seen to that the engine can run with, in a line. */
  readonly onWarning: (what: string) => void;
  /** Called once when the engine cannot go on; must call `end`, at once where the store has failed. */
  readonly onFatal: (error: Error, end: (code: number) => void) => void;
  /** Ends a start that waits. */
  readonly signal: AbortSignal;
}

/** @throws RefusedError PORT_IN_USE; FatalError STORE_BUSY and whatever else ends a start for good. */
export async function launch({
  folder,
  port,
  host,
  names = [],
  notifyCommand,
  stateFiles,
  quota,
  nats,
  adopts,
  acceptsClock,
  logLevel,
  onWaiting,
  onMended,
  onWarning,
  onFatal,
  signal,
}: LaunchOptions): Promise<Launched> {
  const log = stderrLog(logLevel);
  process.on("uncaughtException", (error) => {
    log.fatal(error);
    process.exit(EXIT_FAILED);
  });
  const patiently = patience(onWaiting, signal);
  let awaited: Trouble | undefined;
  const waiting = (trouble: Trouble | undefined): void => void (awaited = trouble);
  const token = await patiently(() => tokenOf(folder));
  const composed = await patiently(() =>
    composeEngine({
      folder,
      http: { port, token, names, tokens: () => readTokens(folder), ...(host !== undefined && { host }) },
      adopts,
      acceptsClock,
      log,
      waitsFor: () => awaited,
      onUnfenced: () => onWarning(UNFENCED),
      onClock: (message, next) => onWarning(`${message} ${next}`),
      onPoison: (position) => onMended(...setAside(position)),
      onFatal: (error) => onFatal(error, endProcess),
      ...(nats && { nats }),
      ...(notifyCommand !== undefined && { notifyCommand }),
      ...(stateFiles !== undefined && { stateFiles }),
      ...(quota && { quota }),
    }),
  );
  try {
    await patiently(() => composed.connect(), waiting);
    await patiently(() => composed.start(), waiting);
    return await launched(composed, token, (url) => writeAddress(folder, url));
  } catch (error) {
    await composed.stop();
    throw error;
  }
}

/** An engine in memory, on a port of its own. */
export async function launchPrivately(): Promise<Launched> {
  const token = randomBytes(32).toString("base64url");
  const composed = await composeEngine({ http: { port: 0, token } });
  await composed.connect();
  await composed.start();
  return launched(composed, token, () => Promise.resolve());
}

async function tokenOf(folder: DataFolder): Promise<string> {
  await makeFolder(folder);
  return ensureSecret(folder.token);
}

async function launched(
  composed: Composed,
  token: string,
  tell: (url: string) => Promise<void>,
): Promise<Launched> {
  const { url } = composed;
  if (url === undefined) throw new Error("The engine was put together without HTTP.");
  await tell(url);
  const lost = composed.engine.recovered?.lost;
  return { url, token, ...(lost && { lost }), stop: () => composed.stop() };
}

const UNFENCED =
  "Whoever may connect to the NATS server may do there what the engine may, for it has no account of its own: ops/nats/README.md has the accounts that fence it.";

const setAside = (position: number): [reason: string, next: string] => [
  `The engine died each time it applied entry ${position} of its journal, so that was set aside as a dead letter; its session takes no approvals.`,
  "See `npx signalbox dlq ls`; `npx signalbox dlq retry` feeds it again.",
];

// Launch
// Starts an engine for the commands: on a data folder, or one that keeps nothing.
//
//   Owns:          the folder's token and address, waiting for room on a full disk and for a NATS server, errors nobody caught.
//   Does not own:  putting an engine together (compose.ts), the process and its signals (cli).
//
// W2. A full disk at the start and a NATS server that is away are waited out, with HTTP up and not ready; any other
//     failure ends the start.
// W4. The folder's address is written once the engine is ready.

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { RetryableError } from "../runtime/errors.ts";
import type { Lost } from "../runtime/missing.ts";
import { composeEngine, type Composed, endProcess, EXIT_FAILED, type NatsPlace } from "./compose.ts";
import { type DataFolder, ensureSecret, makeFolder, readNamed, writeAddress } from "./data-folder/index.ts";
import { stderrLog } from "./log/index.ts";

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
  /** Undefined for the built-in journal. */
  readonly nats?: NatsPlace;
  /** Whether the store may leave the journal it has read from. */
  readonly adopts: boolean;
  /** As pino names them. */
  readonly logLevel: string;
  /** Called when a start begins to wait, with the reason. */
  readonly onWaiting: (reason: string, next: string) => void;
  /** Called when an entry that ended processes was set aside. */
  readonly onMended: (reason: string, next: string) => void;
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
  nats,
  adopts,
  logLevel,
  onWaiting,
  onMended,
  onFatal,
  signal,
}: LaunchOptions): Promise<Launched> {
  const log = stderrLog(logLevel);
  process.on("uncaughtException", (error) => {
    log.fatal(error);
    process.exit(EXIT_FAILED);
  });
  const token = await patiently(() => tokenOf(folder), onWaiting, signal);
  const composed = await composeEngine({
    folder,
    http: { port, token, names, people: () => readNamed(folder), ...(host !== undefined && { host }) },
    adopts,
    log,
    onPoison: (position) => onMended(...setAside(position)),
    onFatal: (error) => onFatal(error, endProcess),
    ...(nats && { nats }),
    ...(notifyCommand !== undefined && { notifyCommand }),
  });
  try {
    await patiently(() => composed.connect(), onWaiting, signal);
    await patiently(() => composed.start(), onWaiting, signal);
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

/** Anything else that may go by is for the next process: of an engine that has begun to start nothing is left as it was. */
const WAITED_OUT = ["ENOSPC", "EDQUOT", "STORE_FULL", "NATS_UNAVAILABLE"];
const PROBE_MS = 1000;

/** Tries again each second for as long as that may help. */
async function patiently<T>(
  start: () => Promise<T>,
  onWaiting: LaunchOptions["onWaiting"],
  signal: AbortSignal,
): Promise<T> {
  for (let told = false; ; told = true) {
    try {
      return await start();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!WAITED_OUT.includes(code)) throw error;
      const { message, next } = error instanceof RetryableError ? error : FULL;
      if (!told) onWaiting(message, next);
      await sleep(PROBE_MS, undefined, { signal });
    }
  }
}

const setAside = (position: number): [reason: string, next: string] => [
  `The engine died each time it applied entry ${position} of its journal, so that was set aside as a dead letter; its session takes no approvals.`,
  "See `npx signalbox dlq ls`; `npx signalbox dlq retry` feeds it again.",
];

const FULL = {
  message: "The disk under the data folder is full.",
  next: "Make room. The engine tries again by itself.",
};

// Launch
// Starts an engine for the commands: on a data folder, or in memory only.
//
//   Owns:          the folder's line key and address, which steps of a start are repeated, handling uncaught errors.
//   Does not own:  building an engine (compose.ts), waiting (patience.ts), the process and its signals (cli).
//
// LAUNCH-1. While the disk is full or read-only, or the NATS server is away, a start waits and tries again; meanwhile HTTP
//     answers that the engine is not ready. Any other failure ends the start.
// LAUNCH-2. The file with the engine's address is written once the engine is ready, and removed when the engine stops in order.

import { randomBytes } from "node:crypto";
import { defined } from "../../machines/defined.ts";
import type { Trouble } from "../../runtime/errors/trouble.ts";
import type { Running, ServeOptions } from "../cli/index.ts";
import { composeEngine, type Composed, endProcess, EXIT_FAILED } from "./compose.ts";
import {
  type DataFolder,
  ensureLineKey,
  makeFolder,
  readTokens,
  removeAddress,
  writeAddress,
} from "../data-folder/index.ts";
import { stderrLog } from "../log/index.ts";
import { patience } from "./patience.ts";
import { thisMachine } from "../system/index.ts";
import { clientFolders } from "./transcript-side.ts";

export interface LaunchOptions extends Omit<ServeOptions, "dataDir"> {
  readonly folder: DataFolder;
}

/** @throws RefusedError PORT_IN_USE; FatalError STORE_BUSY and other errors that end a start for good. */
export async function launch(options: LaunchOptions): Promise<Running> {
  const {
    folder,
    port,
    host,
    names = [],
    signIn,
    logLevel,
    onWaiting,
    onMended,
    onWarning,
    onFatal,
    onHandOver,
    signal,
    transcripts = clientFolders(process.env),
    fileLines = "own",
    ...settings
  } = options;
  const log = stderrLog(logLevel);
  process.on("uncaughtException", (error) => {
    log.fatal(error);
    process.exit(EXIT_FAILED);
  });
  const patiently = patience(onWaiting, signal);
  let awaited: Trouble | undefined;
  const waiting = (trouble: Trouble | undefined): void => void (awaited = trouble);
  const lineKey = await patiently(() => lineKeyOf(folder));
  const composed = await patiently(() =>
    composeEngine({
      ...settings,
      transcripts,
      fileLines,
      folder,
      http: { port, lineKey, names, tokens: () => readTokens(folder), ...defined({ host, signIn }) },
      log,
      waitsFor: () => awaited,
      onUnfenced: () => onWarning(UNFENCED),
      onClock: (message, next) => onWarning(`${message} ${next}`),
      onPoison: (position) => onMended(...setAside(position)),
      onHandOver,
      onLead: () => onMended("This engine was a spare. It has taken over, and is the owner now.", ""),
      onFatal: (error) => onFatal(error, endProcess),
    }),
  );
  try {
    await patiently(() => composed.connect(), waiting);
    await patiently(() => composed.start(), waiting);
    const start = randomBytes(12).toString("hex");
    const { refusal } = composed.engine.mandate;
    if (refusal) onWarning(refusal.message);
    const running = launched(composed);
    await writeAddress(folder, { url: running.url, start, machine: thisMachine() });
    return {
      ...running,
      async stop() {
        await removeAddress(folder, start).catch((error: unknown) => log.failed(error));
        await running.stop();
      },
    };
  } catch (error) {
    await composed.stop();
    throw error;
  }
}

/** Starts an engine in memory, on any free port, with a token that is valid until this engine ends. */
export async function launchPrivately(): Promise<Running & { readonly token: string }> {
  const token = randomBytes(32).toString("base64url");
  const composed = await composeEngine({ http: { port: 0, token } });
  await composed.connect();
  await composed.start();
  return { ...launched(composed), token };
}

async function lineKeyOf(folder: DataFolder): Promise<string> {
  await makeFolder(folder);
  return ensureLineKey(folder);
}

function launched(composed: Composed): Running {
  const { url } = composed;
  if (url === undefined) throw new Error("The engine was put together without HTTP.");
  const lost = composed.engine.recovered?.lost;
  return { url, ...defined({ lost }), stop: () => composed.stop() };
}

const UNFENCED =
  "The engine has no account of its own on the NATS server, so everybody who may connect to the server has the engine's rights there. Set up the accounts of ops/nats/README.md to prevent this.";

const setAside = (position: number): [reason: string, next: string] => [
  `The engine died each time it applied entry ${position} of its journal, so that entry was set aside as a dead letter; its session accepts no approvals.`,
  "See `npx signalbox dlq ls`; `npx signalbox dlq retry` applies the entry again.",
];

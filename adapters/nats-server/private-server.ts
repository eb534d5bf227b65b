// Private server
// Runs a data folder's own nats-server, on loopback and with its own store: starts it, restarts it when it dies, stops it.
//
//   Owns:          the server's folder, its process, the waits between starts, its port.
//   Does not own:  finding the program (binary.ts), the clients that connect to the server.
//   Decided in:    docs/decisions/0028-the-private-server.md.
//
// PRIVATE-SERVER-1. The server is a child of the supervisor's process (`up`), not of the engine's: a crash of the engine leaves
//     it running.
// PRIVATE-SERVER-2. Only the process that started the server ends it. Ctrl-C at the terminal does not reach the server, so the
//     engine can still use it to finish its work.
// PRIVATE-SERVER-3. If the server's first start fails, the caller gets an error. A later start is repeated until it succeeds.

import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { once } from "node:events";
import { createServer } from "node:net";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { Binary } from "./binary.ts";
import { forgetChild, liveChild, type Looking, noteChild } from "./child.ts";
import { claim, endOrphan, type Processes, release } from "./claim.ts";
import { configText, HOST } from "./config.ts";
import { configFileOf, pidFileOf, portFileOf, storeDirOf } from "./files.ts";
import { type Ended, ServerProcess } from "./server-process.ts";

export interface PrivateServer {
  readonly port: number;
  readonly url: string;
  stop(): Promise<void>;
}

/** `down`: the server died, and is restarted after `waitMs`. `up`: the server answers again. */
export type ServerNews =
  { readonly type: "down"; readonly why: string; readonly waitMs: number } | { readonly type: "up" };

export interface PrivateServerOptions {
  /** The server's own folder, created if missing. */
  readonly dir: string;
  readonly publicKey: string;
  readonly binary: Binary;
  readonly processes: Processes & Looking;
  readonly onNews: (news: ServerNews) => void;
}

const FIRST_WAIT_MS = 200;
const WAIT_MAX_MS = 5_000;
const LASTING_MS = 10_000;
const PORTS_TRIED = 3;
const MODE = 0o700;

/** @throws FatalError STORE_BUSY while another process has the folder; RefusedError NATS_NOT_UP with the server's last output. */
export async function runPrivateServer(options: PrivateServerOptions): Promise<PrivateServer> {
  const { dir, processes } = options;
  await mkdir(dir, { recursive: true, mode: MODE });
  await chmod(dir, MODE);
  await claim(dir, processes);
  try {
    await endOrphan(pidFileOf(dir), configFileOf(dir), processes);
    const first = await firstStart(options);
    const keeping = new Keeping(options, first.port, first.started);
    return {
      port: first.port,
      url: `nats://${HOST}:${first.port}`,
      async stop() {
        await keeping.stop();
        await release(dir);
      },
    };
  } catch (error) {
    await release(dir);
    throw error;
  }
}

/** Starts the server for the first time. Tries several ports: another program may take a port before the server listens on it. */
async function firstStart(options: PrivateServerOptions) {
  for (let tries = 1; ; tries += 1) {
    const port = await choosePort(portFileOf(options.dir));
    const started = await start(options, port);
    if (await started.answers(() => isOurs(options, port))) return { port, started };
    const said = await started.end();
    if (tries === PORTS_TRIED || !said.includes("address already in use")) throw notUp(options.binary, said);
  }
}

const isOurs = ({ dir, processes }: PrivateServerOptions, port: number): boolean =>
  liveChild(dir, port, processes) !== undefined;

async function start(options: PrivateServerOptions, port: number): Promise<ServerProcess> {
  const { dir, publicKey, binary, processes } = options;
  const file = configFileOf(dir);
  const text = configText({
    port,
    publicKey,
    storeDir: storeDirOf(dir),
    pidFile: pidFileOf(dir),
    portsDir: dir,
    version: binary.version,
  });
  await writeFile(`${file}.draft`, text, { mode: 0o600 });
  await rename(`${file}.draft`, file);
  await forgetChild(dir);
  const started = new ServerProcess(binary.path, file);
  try {
    // The mark tells the child from later processes with the same id. It is surely the child's: until Node has learned that the
    // child ended, the system gives the id to no other process.
    const mark = started.pid === undefined ? undefined : processes.markOf(started.pid);
    if (started.pid !== undefined && mark !== undefined) await noteChild(dir, started.pid, mark);
    return started;
  } catch (error) {
    await started.end();
    throw error;
  }
}

class Keeping {
  readonly #options: PrivateServerOptions;
  readonly #port: number;
  readonly #stopping = new AbortController();
  readonly #watching: Promise<void>;
  #running: ServerProcess;

  constructor(options: PrivateServerOptions, port: number, running: ServerProcess) {
    this.#options = options;
    this.#port = port;
    this.#running = running;
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#end();
    await this.#watching;
  }

  async #end(): Promise<void> {
    try {
      await forgetChild(this.#options.dir);
    } finally {
      await this.#running.end();
    }
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    let waitMs = FIRST_WAIT_MS;
    for (let ended = await this.#running.ended; !signal.aborted; ended = await this.#again()) {
      waitMs = ended.livedMs > LASTING_MS ? FIRST_WAIT_MS : Math.min(waitMs * 2, WAIT_MAX_MS);
      this.#options.onNews({ type: "down", why: ended.why, waitMs });
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #again(): Promise<Ended> {
    if (this.#isStopping()) return this.#running.ended;
    try {
      this.#running = await start(this.#options, this.#port);
    } catch (error) {
      return { why: error instanceof Error ? error.message : String(error), livedMs: 0 };
    }
    // `stop` may have been called while the configuration was being written.
    const isThere = (): boolean => isOurs(this.#options, this.#port);
    if (this.#isStopping() || !(await this.#running.answers(isThere))) await this.#end();
    else this.#options.onNews({ type: "up" });
    return this.#running.ended;
  }
}

const notUp = ({ path, version }: Binary, said: string): RefusedError =>
  new RefusedError(
    "NATS_NOT_UP",
    `The private NATS server (${path}, ${version}) did not come up: ${said.trim() || "it said nothing"}`,
    "Remove the cause, name another server with SIGNALBOX_NATS_URL, or use no NATS: --nats off.",
  );

const DEFAULT_PORT = 4281;

/** How long the earlier port is awaited: a killed server's threads hold its port for a moment after the process has ended. */
const KEPT_WITHIN_MS = 1_000;
const LOOK_MS = 50;

/** Chooses the port in `file` if this port becomes free within a second, otherwise the default port, otherwise any free port. */
async function choosePort(file: string): Promise<number> {
  const kept = Number(await readFile(file, "utf8").catch(() => ""));
  if (Number.isInteger(kept) && kept > 0 && kept < 65_536)
    for (let waited = 0; waited < KEPT_WITHIN_MS; waited += LOOK_MS) {
      if ((await freePort(kept)) === kept) return kept;
      await sleep(LOOK_MS);
    }
  const free = (await freePort(DEFAULT_PORT)) ?? (await freePort(0));
  if (free === undefined) throw new Error(`No port on ${HOST} is free.`);
  await writeFile(file, `${free}\n`, { mode: 0o600 });
  return free;
}

/** @param port 0 for any free port. @returns the port; undefined if the port is in use. */
async function freePort(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(port, HOST);
    await once(server, "listening");
    const address = server.address();
    return typeof address === "object" ? address?.port : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return undefined;
    throw error;
  } finally {
    server.close();
  }
}

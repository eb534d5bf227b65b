// Server
// A private nats-server with JetStream, as a separate process that a test may kill and restart.
//
//   Owns:          its port, its store folder, its life.
//   Does not own:  finding it (binary.ts), what it is used for.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../http/free-port.ts";
import { isStopped } from "../processes/processes.ts";
import { natsServerBinary } from "./binary.ts";

export interface NatsServer {
  readonly url: string;
  readonly port: number;
  readonly storeDir: string;
  /** Of the running process. */
  readonly pid: number | undefined;
  /** Ends it at once, like a crash. */
  kill(): Promise<void>;
  /** Makes it stand still with its connections open. When it returns, each of its threads does. */
  stop(): Promise<void>;
  /** It goes on after `stop`. */
  resume(): void;
  /** Restarts it on the same port and store. */
  start(): Promise<void>;
  /** Stops it and removes its store. */
  dispose(): Promise<void>;
  /** Copies the store of the stopped server aside, or puts a copy back. */
  saveStore(copy: string): Promise<void>;
  restoreStore(copy: string): Promise<void>;
}

/** @param more further arguments; a function is asked for them at each start. */
export async function natsServer(
  more: readonly string[] | (() => readonly string[]) = [],
): Promise<NatsServer> {
  const binary = await natsServerBinary();
  const port = await freePort();
  const storeDir = await mkdtemp(join(tmpdir(), "signalbox-nats-"));
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const own = ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", storeDir];
    const given = [...own, ...(typeof more === "function" ? more() : more)];
    const started = spawn(binary, given, { stdio: ["ignore", "ignore", "pipe"] });
    child = started;
    let said = "";
    started.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
    for (let tries = 0; tries < 500; tries += 1) {
      if (started.exitCode !== null) throw new Error(`nats-server ended at once: ${said}`);
      if (await answers(port)) return;
      await sleep(20);
    }
    throw new Error(`nats-server did not answer on port ${port}: ${said}`);
  };

  const kill = async (signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const gone = once(running, "exit");
    running.kill(signal);
    await gone;
  };

  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    storeDir,
    get pid() {
      return child?.pid;
    },
    kill: () => kill(),
    async stop() {
      child?.kill("SIGSTOP");
      while (child?.pid !== undefined && !isStopped(child.pid)) await sleep(1);
    },
    resume: () => void child?.kill("SIGCONT"),
    start,
    async dispose() {
      await kill();
      await rm(storeDir, { recursive: true, force: true });
    },
    saveStore: (copy) => cp(storeDir, copy, { recursive: true }),
    async restoreStore(copy) {
      await rm(storeDir, { recursive: true, force: true });
      await cp(copy, storeDir, { recursive: true });
    },
  };
}

/** True once the server greets on its port. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const end = (value: boolean): void => {
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(1000, () => end(false));
    socket.once("data", () => end(true));
    socket.once("error", () => end(false));
  });
}

// Child
// One server process of a contender: started, known to be ready, ended by its own id.
//
//   Owns:          the process.
//   Does not own:  what it serves.

import { spawn } from "node:child_process";
import { createServer } from "node:net";

const READY_MS = 60_000;
const END_MS = 10_000;

/**
 * @param ready what it prints once it serves; undefined where that is found out otherwise.
 * @returns its id, the first match, and `stop`.
 */
export async function started(command, args, { env = {}, ready } = {}) {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let said = "";
  let told = () => undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => told((said = (said + text).slice(-20_000))));
  const stop = async () => {
    const timer = setTimeout(() => child.kill("SIGKILL"), END_MS);
    child.kill("SIGTERM");
    await ended;
    clearTimeout(timer);
  };
  if (!ready) return { pid: child.pid, stop, said: () => said };
  const match = await new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`${command} ${args.join(" ")} ${why}:\n${said}`));
    const timer = setTimeout(() => fail("is not ready"), READY_MS);
    told = () => {
      const found = ready.exec(said);
      if (!found) return;
      clearTimeout(timer);
      resolve(found);
    };
    void ended.then((code) => fail(`ended with ${code}`));
  }).catch(async (error) => {
    await stop();
    throw error;
  });
  return { pid: child.pid, match, stop, said: () => said };
}

/** @returns a port that was free a moment ago. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Tries until it works. @throws its last error. */
export async function untilDone(step) {
  const end = Date.now() + READY_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

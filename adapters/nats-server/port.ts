// Port
// The private server's port: the same at every start, so that addresses given to others stay valid.
//
//   Owns:          the file, choosing a free port.
//   Does not own:  listening on the port.

import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { HOST } from "./config.ts";

const DEFAULT_PORT = 4281;

/** The threads of a killed server hold its port for a moment after its process has ended. */
const KEPT_WITHIN_MS = 1_000;
const LOOK_MS = 50;

/** Chooses the port in `file` if it becomes free within a second, otherwise the default one, otherwise any, and stores it. */
export async function choosePort(file: string): Promise<number> {
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

/** @param port 0 for any. @returns the port; undefined if it is in use. */
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

// Port
// The private server's port: the same at every start, so that addresses given to others stay valid.
//
//   Owns:          the file, choosing a free port.
//   Does not own:  listening.

import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { HOST } from "./config.ts";

const DEFAULT_PORT = 4281;

/** @returns the port recorded in `file` if free, else the default one, else any; it is recorded. */
export async function choosePort(file: string): Promise<number> {
  const kept = Number(await readFile(file, "utf8").catch(() => ""));
  const wanted = Number.isInteger(kept) && kept > 0 && kept < 65_536 ? [kept, DEFAULT_PORT] : [DEFAULT_PORT];
  for (const port of [...wanted, 0]) {
    const free = await freePort(port);
    if (free === undefined) continue;
    if (free !== kept) await writeFile(file, `${free}\n`, { mode: 0o600 });
    return free;
  }
  throw new Error(`No port on ${HOST} is free.`);
}

/** @param port 0 for any. @returns the port, or undefined when it is in use. */
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

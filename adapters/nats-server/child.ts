// Child
// Finds out whether a port belongs to the folder's private server. Every client checks that before it sends anything.
//
//   Owns:          the supervisor's note about the server's process, reading the file in which the server names its ports.
//   Does not own:  the process (private-server.ts), who may write in the folder (data-folder).
//   Decided in:    docs/decisions/0053-whose-server-it-is.md.
//
// Only the machine's user can write to the folder, so every file in it was written by the supervisor or by the server.
//
// NATS-SERVER-CHILD-1. A port counts as the private server's only while the process that the supervisor noted is alive, the
//     ports file (which nats-server itself writes for this process) names the port, and the process listens on the port (if the
//     kernel shows who does).
// NATS-SERVER-CHILD-2. The note and every ports file are removed before a server is started and before it is stopped. So no
//     server is trusted because of an earlier server's files, or while it gives up its port.

import { readdirSync, readFileSync } from "node:fs";
import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing } from "../../runtime/errors/system-codes.ts";
import { HOST } from "./config.ts";
import { childFileOf } from "./files.ts";

export interface Looking {
  /** @returns a text that tells the process from earlier and later ones with its id; undefined if no process has the id. */
  readonly markOf: (pid: number) => string | undefined;
  /** @returns whether the process listens on the port; undefined if the system does not show this. */
  readonly listensOn: (pid: number, port: number) => boolean | undefined;
}

export async function noteChild(dir: string, pid: number, mark: string): Promise<void> {
  const file = childFileOf(dir);
  await writeFile(`${file}.draft`, `${pid} ${mark}\n`, { mode: 0o600 });
  await rename(`${file}.draft`, file);
}

/** NATS-SERVER-CHILD-2. Removes the note and every ports file, so that no port counts as the private server's. */
export async function forgetChild(dir: string): Promise<void> {
  await rm(childFileOf(dir), { force: true });
  const names = (await unlessMissing(readdir(dir))) ?? [];
  const ports = names.filter((name) => name.endsWith(".ports"));
  await Promise.all(ports.map((name) => rm(join(dir, name), { force: true })));
}

/** @returns the id and mark of the server process that runs for this folder; undefined if none runs, or has not this port. */
export function liveChild(dir: string, port: number, { markOf, listensOn }: Looking): string | undefined {
  try {
    const child = readFileSync(childFileOf(dir), "utf8").trim();
    const [id = "", ...mark] = child.split(" ");
    const pid = Number(id);
    if (!(pid > 1) || mark.length === 0 || !namesPort(dir, pid, port)) return undefined;
    return markOf(pid) === mark.join(" ") && listensOn(pid, port) !== false ? child : undefined;
  } catch {
    return undefined; // The process was not noted, or the server is just writing the file with its port.
  }
}

/** Whether the server's own file says that it has the port. The file's name contains the server's program and process id. */
function namesPort(dir: string, pid: number, port: number): boolean {
  return readdirSync(dir)
    .filter((name) => name.endsWith(`_${pid}.ports`))
    .some((name) => {
      const told: unknown = JSON.parse(readFileSync(join(dir, name), "utf8"));
      const addresses: unknown = typeof told === "object" && told !== null && Reflect.get(told, "nats");
      return Array.isArray(addresses) && addresses.includes(`nats://${HOST}:${port}`);
    });
}

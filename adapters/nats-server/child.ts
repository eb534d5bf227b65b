// Child
// Determines which process is the folder's private server, and whether it has a port. Every client checks that before it sends
// anything.
//
//   Owns:          the supervisor's note, reading the file in which the server names its ports.
//   Does not own:  the process (private-server.ts), who may write in the folder (data-folder).
//   Decided in:    docs/decisions/0053-whose-server-it-is.md.
//
// The folder is its user's alone, so every file in it was written by the supervisor or by the server.
//
// NATS-SERVER-CHILD-1. A port belongs to the private server only while three conditions hold: the process that the supervisor
//     noted lives, its own ports file names the port, and, if the kernel shows that, it listens there. A dead server's file
//     proves nothing, and neither does a later process with its id.
// NATS-SERVER-CHILD-2. The note and every ports file are removed before a server is started and before it is stopped. So no new
//     server is trusted by an earlier one's files, and no server while it gives up its port.

import { readdirSync, readFileSync } from "node:fs";
import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing } from "../../runtime/errors/system-codes.ts";
import { HOST } from "./config.ts";
import { childFileOf } from "./files.ts";

export interface Looking {
  /** @returns a mark that no other process with this id has or will have; undefined if no process has the id. */
  readonly markOf: (pid: number) => string | undefined;
  /** @returns whether it listens there; undefined if the system does not show that. */
  readonly listensOn: (pid: number, port: number) => boolean | undefined;
}

/** Writes the note about the server's process. @param mark the mark, as `markOf` returned it. */
export async function noteChild(dir: string, pid: number, mark: string): Promise<void> {
  const file = childFileOf(dir);
  await writeFile(`${file}.draft`, `${pid} ${mark}\n`, { mode: 0o600 });
  await rename(`${file}.draft`, file);
}

/** Removes the note and every file with ports (NATS-SERVER-CHILD-2). */
export async function forgetChild(dir: string): Promise<void> {
  await rm(childFileOf(dir), { force: true });
  const names = (await unlessMissing(readdir(dir))) ?? [];
  const ports = names.filter((name) => name.endsWith(".ports"));
  await Promise.all(ports.map((name) => rm(join(dir, name), { force: true })));
}

/** @returns a mark of the folder's own live server; undefined unless this server has the port. */
export function liveChild(dir: string, port: number, { markOf, listensOn }: Looking): string | undefined {
  try {
    const child = readFileSync(childFileOf(dir), "utf8").trim();
    const [id = "", ...mark] = child.split(" ");
    const pid = Number(id);
    if (!(pid > 1) || mark.length === 0 || !namesPort(dir, pid, port)) return undefined;
    return markOf(pid) === mark.join(" ") && listensOn(pid, port) !== false ? child : undefined;
  } catch {
    return undefined; // There is no note of the process, or the server is just writing the file with its port.
  }
}

/** The server names the file after its program and its process. */
function namesPort(dir: string, pid: number, port: number): boolean {
  return readdirSync(dir)
    .filter((name) => name.endsWith(`_${pid}.ports`))
    .some((name) => {
      const told: unknown = JSON.parse(readFileSync(join(dir, name), "utf8"));
      const addresses: unknown = typeof told === "object" && told !== null && Reflect.get(told, "nats");
      return Array.isArray(addresses) && addresses.includes(`nats://${HOST}:${port}`);
    });
}

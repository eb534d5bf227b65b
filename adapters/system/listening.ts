// System listening
// Checks whether a process listens on a port, by the kernel's data.
//
//   Owns:          asking the kernel.
//   Does not own:  finding out whose process it is.
//
// SYSTEM-LISTENING-1. A process listens on a port only if it has such a socket open. If the process's open files cannot be read,
//     the answer is no. A system that does not show its sockets gives no answer.

import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

const SOCKETS = "/proc/self/net/tcp";
const LISTENS = "0A";

/** @param port the port of IPv4. @returns undefined if the system does not show that. */
export function listensOn(pid: number, port: number): boolean | undefined {
  if (!existsSync(SOCKETS)) return undefined;
  const sockets = socketsOn(port);
  const dir = `/proc/${pid}/fd`;
  try {
    return sockets.size > 0 && readdirSync(dir).some((name) => sockets.has(linkAt(join(dir, name))));
  } catch {
    return false; // The process has ended, or belongs to another user.
  }
}

/** The sockets that listen on the port, as the links of open files name them. */
function socketsOn(port: number): ReadonlySet<string> {
  const [, ...rows] = readFileSync(SOCKETS, "utf8").trim().split("\n");
  const fields = rows.map((row) => row.trim().split(/\s+/));
  const there = fields.filter(
    ([, local = "", , state]) => state === LISTENS && Number.parseInt(local.split(":")[1] ?? "", 16) === port,
  );
  return new Set(there.map((each) => `socket:[${each[9] ?? ""}]`));
}

/** A file may be closed between listing and reading it. */
function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

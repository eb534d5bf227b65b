// System listening
// Finds out whether a given process listens on a port, from the kernel's data, or whether any process does, by connecting.
//
//   Owns:          asking the kernel, trying to connect.
//   Does not own:  finding out whose process listens, which program answers (the handshake).
//
// SYSTEM-LISTENING-1. A process counts as listening on a port only if the kernel shows a listening socket of that process. If the
//     system does not show sockets, the answer is undefined.

import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

const SOCKETS = "/proc/self/net/tcp";
const LISTENS = "0A";

/** @param port an IPv4 port. @returns whether the process listens on the port; undefined if the system does not show this. */
export function listensOn(pid: number, port: number): boolean | undefined {
  if (!existsSync(SOCKETS)) return undefined;
  const sockets = socketsOn(port);
  const dir = `/proc/${pid}/fd`;
  try {
    return sockets.size > 0 && readdirSync(dir).some((name) => sockets.has(linkAt(join(dir, name))));
  } catch {
    return false; // The open files cannot be read: the process has ended, or belongs to another user.
  }
}

/** The sockets that listen on the port, in the form in which /proc shows open files. */
function socketsOn(port: number): ReadonlySet<string> {
  const [, ...rows] = readFileSync(SOCKETS, "utf8").trim().split("\n");
  const fields = rows.map((row) => row.trim().split(/\s+/));
  const there = fields.filter(
    ([, local = "", , state]) => state === LISTENS && Number.parseInt(local.split(":")[1] ?? "", 16) === port,
  );
  return new Set(there.map((each) => `socket:[${each[9] ?? ""}]`));
}

/** What a link names; empty if the link no longer exists, because an open file may be closed between listing and reading. */
function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

const ANSWER_MS = 1_000;

/** Connects to the port, and sends nothing. @returns whether somebody accepts the connection in time. */
export function isTaken(port: number): Promise<boolean> {
  return new Promise((tell) => {
    const socket = connect({ host: "127.0.0.1", port });
    const end = (taken: boolean): void => {
      socket.destroy();
      tell(taken);
    };
    socket.setTimeout(ANSWER_MS, () => end(false));
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}

// Address
// The file that records where the folder's engine listens over TCP, for browsers and for programs that cannot use a socket.
//
//   Owns:          the file with the address.
//   Does not own:  whether an engine still listens at the address; the code that connects checks that (adapters/line).
//
// ADDRESS-1. The address is only a hint: if an engine is killed, the file stays, and another program may use the port by now.
// ADDRESS-2. The address is valid only on the machine, and in the boot, in which it was written.

import { readOwn, removeOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";

export interface Address {
  readonly url: string;
  /** An id of the machine and its boot; empty in a file that an earlier version of Signalbox wrote. */
  readonly machine: string;
  /** A random id of the run of the engine that wrote the file: each start of the engine makes a new id. */
  readonly start: string;
}

export async function writeAddress(folder: DataFolder, { url, start, machine }: Address): Promise<void> {
  await writeOwn(folder.address, `${url}\n${start} ${machine}\n`);
}

/** @returns the last stored address; undefined if there is none. @throws RefusedError as `readOwn`. */
export async function readAddress(folder: DataFolder): Promise<Address | undefined> {
  const [url = "", said = ""] = ((await readOwn(folder.address)) ?? "").split("\n");
  if (!URL.canParse(url)) return undefined;
  const [start = "", ...machine] = said.split(" ");
  return { url, start, machine: machine.join(" ") };
}

export async function removeAddress(folder: DataFolder, start: string): Promise<void> {
  if ((await readAddress(folder))?.start === start) await removeOwn(folder.address);
}

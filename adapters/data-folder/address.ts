// Address
// The file that records where the folder's engine listens over TCP, for browsers, and for programs that cannot use a socket.
//
//   Owns:          the file.
//   Does not own:  whether an engine still listens there: whoever connects makes it prove that (adapters/line).
//
// ADDRESS-1. The address is a hint: another program may have the port by now. An orderly stop removes the file; after a kill it
//     stays.
// ADDRESS-2. The address is valid only on the machine, and in the boot, that it was written in.

import { readOwn, removeOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";

export interface Address {
  readonly url: string;
  /** The machine and its boot; empty in a file of an earlier version. */
  readonly machine: string;
  /** A random id of the engine's run that wrote the file: each start of the engine makes a new one. */
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

/** Removes the file, if this run of the engine wrote it. */
export async function removeAddress(folder: DataFolder, start: string): Promise<void> {
  if ((await readAddress(folder))?.start === start) await removeOwn(folder.address);
}

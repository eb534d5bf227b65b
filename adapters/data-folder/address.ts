// Address
// Where the folder's engine listens over TCP: a hint for people's browsers, and for programs where no socket can be.
//
//   Owns:          the file.
//   Does not own:  whether an engine is still there: whoever connects lets it prove that (adapters/line).
//
// ADDRESS-1. It is a hint: another program may have the port by now. It goes at an orderly end; after a kill it stays.
// ADDRESS-2. It counts on the machine, and for the boot, that it was written for.

import { readOwn, removeOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";

export interface Address {
  readonly url: string;
  /** The machine and its boot; empty in a file of an earlier version. */
  readonly machine: string;
  /** Which start of the engine wrote it. */
  readonly start: string;
}

/** Notes where the engine that holds the folder listens. */
export async function writeAddress(folder: DataFolder, { url, start, machine }: Address): Promise<void> {
  await writeOwn(folder.address, `${url}\n${start} ${machine}\n`);
}

/** @returns what was noted last; undefined when there is nothing. @throws RefusedError as `readOwn`. */
export async function readAddress(folder: DataFolder): Promise<Address | undefined> {
  const [url = "", said = ""] = ((await readOwn(folder.address)) ?? "").split("\n");
  if (!URL.canParse(url)) return undefined;
  const [start = "", ...machine] = said.split(" ");
  return { url, start, machine: machine.join(" ") };
}

/** Takes the note away, if this start of the engine wrote it. */
export async function removeAddress(folder: DataFolder, start: string): Promise<void> {
  if ((await readAddress(folder))?.start === start) await removeOwn(folder.address);
}

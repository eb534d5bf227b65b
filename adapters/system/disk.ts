// System disk
// Reads what kind of file system a folder is on, and how much room there is.
//
//   Owns:          asking the system, the kinds of file systems.
//   Does not own:  how much room is enough, what a kind means for an engine (the caller).
//
// SYSTEM-DISK-1. Only the kernel's number decides the kind: an unknown number counts as a disk.

import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { isMissing } from "../../runtime/errors/trouble.ts";

export interface Disk {
  readonly freeBytes: number;
  readonly sizeBytes: number;
  /** `memory`: the content ends with the machine. `network`: another machine stores it. */
  readonly kind: "disk" | "memory" | "network";
}

/** The kernel's numbers (man 2 statfs): tmpfs, ramfs. */
const MEMORY: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);
/** The numbers of NFS, SMB in three versions, AFS, Ceph and 9P. */
const NETWORK: ReadonlySet<number> = new Set([
  ...[0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x00c36400, 0x01021997],
]);

/** @param dir if it is missing, the folder above it counts. @returns undefined if neither can be read. */
export async function diskOf(dir: string): Promise<Disk | undefined> {
  try {
    const { type, bavail, blocks, bsize } = await statfs(dir);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize, kind: kindOf(type) };
  } catch (error) {
    return isMissing(error) && dirname(dir) !== dir ? diskOf(dirname(dir)) : undefined;
  }
}

/** @param type the number of the file system's type on Linux; other systems number theirs from 1. */
export function kindOf(type: number): Disk["kind"] {
  if (MEMORY.has(type)) return "memory";
  return NETWORK.has(type) ? "network" : "disk";
}

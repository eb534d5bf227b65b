// System disk
// Reads which kind of file system a folder is on, and how much free space it has.
//
//   Owns:          asking the system, the kinds of file systems.
//   Does not own:  how much free space is enough, what a kind of file system means for an engine (the caller).
//
// SYSTEM-DISK-1. Only the kernel's number for a file system decides its kind. A file system with an unknown number counts as a
//     disk of this machine.

import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { isMissing } from "../../runtime/errors/trouble.ts";

export interface Disk {
  readonly freeBytes: number;
  readonly sizeBytes: number;
  /** `memory`: the content is lost when the machine stops. `network`: another machine stores the content. */
  readonly kind: "disk" | "memory" | "network";
}

/** The Linux kernel's numbers for file systems in memory (man 2 statfs): tmpfs, ramfs. */
const MEMORY: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);
/** The Linux kernel's numbers for file systems on a network: NFS, SMB in three versions, AFS, Ceph and 9P. */
const NETWORK: ReadonlySet<number> = new Set([
  ...[0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x00c36400, 0x01021997],
]);

/**
 * @param dir if this folder is missing, the nearest folder above it that exists counts. @returns undefined if the system does not
 * tell.
 */
export async function diskOf(dir: string): Promise<Disk | undefined> {
  try {
    const { type, bavail, blocks, bsize } = await statfs(dir);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize, kind: kindOf(type) };
  } catch (error) {
    return isMissing(error) && dirname(dir) !== dir ? diskOf(dirname(dir)) : undefined;
  }
}

/** @param type the number of the file system's type, as Linux gives it; other systems count their types from 1. */
export function kindOf(type: number): Disk["kind"] {
  if (MEMORY.has(type)) return "memory";
  return NETWORK.has(type) ? "network" : "disk";
}

// Kept
// Reads the blobs of a folder beside the engine that owns it.
//
//   Owns:          which files are blobs, whether each is whole.
//   Does not own:  the folder of the files (blob-files.ts).
//
// BLOB-FILES-KEPT-1. Nothing in the folder is changed: an engine may be putting blobs there. One that is removed
//     meanwhile is passed over.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isBlobName, isNamed } from "../../runtime/blob-name.ts";

export interface KeptBlob {
  readonly name: string;
  /** When the blob was last stored, ms. */
  readonly at: number;
  /** The text of the blob; undefined if the file cannot be read, or its content does not match the name. */
  readonly content: Buffer | undefined;
}

export async function blobNamesIn(dir: string): Promise<readonly string[]> {
  return (await readdir(dir)).filter(isBlobName).sort();
}

/** @returns undefined if the file is gone. */
export async function keptBlob(dir: string, name: string): Promise<KeptBlob | undefined> {
  const path = join(dir, name);
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  const content = await readFile(path).catch(() => undefined);
  const isWhole = content !== undefined && isNamed(name, content);
  return { name, at: Math.round(found.mtimeMs), content: isWhole ? content : undefined };
}

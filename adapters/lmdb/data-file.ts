// Data file
// Checks lmdb's data file before lmdb maps it: a missing page would end the process without a message.
//
//   Owns:          which files may be mapped: both meta pages are lmdb's, and every used page is in the file.
//   Does not own:  opening the file (tables.ts), its other pages' content, its list of free pages (free-pages.ts).
//
// DATA-FILE-1. The file is only read, never written; another engine may have it open.
// DATA-FILE-2. A file is as long as its newest meta page says. Only free pages may be missing at its end.

import { open, type FileHandle } from "node:fs/promises";
import { freePages, PAGE_HEADER_BYTES, type Tree } from "./free-pages.ts";

const MAGIC = 0xbeefc0de;
const VERSION = 2;
/** On a meta page this follows the header that every page has. */
const META_BYTES = PAGE_HEADER_BYTES + 144;
const PAGE_BYTES_MIN = 512;
const PAGE_BYTES_MAX = 65_536;
/** How often a file is checked before it counts as broken. */
const LOOKS = 3;

/** The content of a meta page. */
interface Meta {
  readonly pageBytes: number;
  readonly transaction: bigint;
  readonly lastPage: number;
  readonly free: Tree;
}

/** `none` when there is no file, or an empty one. */
export type DataFile = "none" | "whole" | { readonly trouble: string };

/** @throws the file system's own errors. */
export async function lookAtDataFile(path: string): Promise<DataFile> {
  const file = await open(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!file) return "none";
  try {
    let found = await lookAt(file);
    // While another engine writes, a read may mix two of its commits.
    for (let looks = 1; typeof found === "object" && looks < LOOKS; looks += 1) found = await lookAt(file);
    return found;
  } finally {
    await file.close();
  }
}

async function lookAt(file: FileHandle): Promise<DataFile> {
  const first = await metaAt(file, 0);
  if (first === "none") return "none";
  if (first === undefined) return { trouble: "its header is not one of lmdb's" };
  const second = await metaAt(file, first.pageBytes);
  if (second === undefined || second === "none" || second.pageBytes !== first.pageBytes)
    return { trouble: "its second header is not one of lmdb's" };
  const trouble = await lackOf(file, first.transaction >= second.transaction ? first : second);
  return trouble === undefined ? "whole" : { trouble };
}

/** DATA-FILE-2. */
async function lackOf(file: FileHandle, { pageBytes, lastPage, free }: Meta): Promise<string | undefined> {
  const { size } = await file.stat();
  const needed = (lastPage + 1) * pageBytes;
  if (size >= needed) return undefined;
  const there = Math.floor(size / pageBytes);
  const cut = `it has ${size} bytes, and its header speaks of ${needed}`;
  const listed = await freePages(file, pageBytes, there, lastPage, free);
  for (let page = there; page <= lastPage; page += 1) if (!listed?.has(page)) return cut;
  return undefined;
}

async function metaAt(file: FileHandle, at: number): Promise<Meta | "none" | undefined> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(META_BYTES), 0, META_BYTES, at);
  if (bytesRead === 0 && at === 0) return "none";
  if (bytesRead < META_BYTES || buffer.readUInt32LE(PAGE_HEADER_BYTES) !== MAGIC) return undefined;
  if (buffer.readUInt16LE(PAGE_HEADER_BYTES + 4) !== VERSION) return undefined;
  const field = (offset: number): bigint => buffer.readBigUInt64LE(PAGE_HEADER_BYTES + offset);
  const pageBytes = buffer.readUInt32LE(PAGE_HEADER_BYTES + 24);
  const isFit =
    pageBytes >= PAGE_BYTES_MIN && pageBytes <= PAGE_BYTES_MAX && Number.isInteger(Math.log2(pageBytes));
  const lastPage = Number(field(120));
  if (!isFit || !Number.isSafeInteger(lastPage * pageBytes)) return undefined;
  return {
    pageBytes,
    transaction: field(128),
    lastPage,
    free: { depth: buffer.readUInt16LE(PAGE_HEADER_BYTES + 30), root: field(64) },
  };
}

// Data file
// Checks lmdb's data file before lmdb maps it: lmdb follows page numbers unchecked, and a wrong one ends the process silently.
//
//   Owns:          which files may be mapped: the check of the headers and the length, and the thorough check of every page.
//   Does not own:  opening the file (tables.ts), which check is due (orderly.ts), the form of pages and trees (page.ts, tree.ts).
//   Decided in:    docs/decisions/0063-a-store-is-read-before-it-is-mapped.md.
//
// DATA-FILE-1. The check only reads the data file; another engine may have the file open.
// DATA-FILE-2. A data file is accepted only if it is as long as its newest header says. Only free pages may be missing at its
//     end.
// DATA-FILE-3. If a thorough check finds no fault, lmdb can find each row, and writes only to pages that are really free.
// DATA-FILE-4. If a file's headers change during a check, another process is writing to the file, and a fault that was found
//     does not count: the check is repeated. A file that changes again and again gets only the check of headers and length.
// DATA-FILE-5. A header may have only the options of Signalbox's files: lmdb crashes if a header says that the file is encrypted.

import { open, type FileHandle } from "node:fs/promises";
import { unlessMissing } from "../../runtime/errors/system-codes.ts";
import { BY_NUMBER, freePages } from "./free-pages.ts";
import { Damage, FLAGS_AT, HEADER, numberIn, PAGE_HEADER_BYTES, Pages } from "./page.ts";
import { type Kind, TREE_BYTES, type Tree, treeAt, Trees } from "./tree.ts";

const MAGIC = 0xbeefc0de;
const VERSION = 2;
/** The length of a header page in bytes: the part that every page has, and 144 bytes of content. */
const META_BYTES = PAGE_HEADER_BYTES + 144;
const TREES_AT = PAGE_HEADER_BYTES + 24;
const LAST_PAGE_AT = TREES_AT + 2 * TREE_BYTES;
const TRANSACTION_AT = LAST_PAGE_AT + 8;
const PAGE_BYTES_MIN = 512;
const PAGE_BYTES_MAX = 65_536;
/** How many times a file is checked in full if another process writes to it during each check. */
const LOOKS = 3;
const VERSIONS = 0x100;

const ROWS: Kind = { flags: [0, VERSIONS], order: (one, other) => one.compare(other), belowMin: 2 };

interface Meta {
  readonly pageBytes: number;
  readonly transaction: bigint;
  readonly lastPage: number;
  readonly free: Tree;
  readonly main: Tree;
}

/** `none`: there is no file, or the file is empty. */
export type DataFile = "none" | "whole" | { readonly trouble: string };

/**
 * @param isThorough whether every used page is checked, and not only the headers and the length.
 * @throws the file system's own errors.
 */
export async function lookAtDataFile(path: string, { isThorough = true } = {}): Promise<DataFile> {
  const file = await unlessMissing(open(path));
  if (!file) return "none";
  try {
    for (let looks = 1; ; looks += 1) {
      const before = await headersOf(file);
      const found = await lookAt(file, before, isThorough);
      // DATA-FILE-4: a fault counts only if nobody has changed the headers during the check.
      const isSame = typeof found !== "object" || (await headersOf(file)).bytes.equals(before.bytes);
      if (isSame) return found;
      if (looks === LOOKS) return await lookAt(file, await headersOf(file), false);
    }
  } finally {
    await file.close();
  }
}

async function lookAt(file: FileHandle, headers: Headers, isThorough: boolean): Promise<DataFile> {
  const { bytes, first, second } = headers;
  if (bytes.length === 0) return "none";
  if (!first) return { trouble: "its header is not one of lmdb's" };
  if (second?.pageBytes !== first.pageBytes) return { trouble: "its second header is not one of lmdb's" };
  const meta = first.transaction >= second.transaction ? first : second;
  const { size } = await file.stat();
  const isShort = size < (meta.lastPage + 1) * meta.pageBytes;
  if (!isThorough && !isShort) return "whole";
  try {
    await follow(file, meta, size);
    return "whole";
  } catch (error) {
    if (error instanceof Damage) return { trouble: error.message };
    throw error;
  }
}

/** Checks every used page. @throws Damage (DATA-FILE-2, DATA-FILE-3) */
async function follow(file: FileHandle, meta: Meta, size: number): Promise<void> {
  const { pageBytes, lastPage, transaction } = meta;
  const there = Math.min(Math.floor(size / pageBytes), lastPage + 1);
  const trees = new Trees(new Pages(file.fd, pageBytes, there, transaction));
  const cut = `it has ${size} bytes, and its header says ${(lastPage + 1) * pageBytes}`;
  const tables: Tree[] = [];
  await trees.follow(meta.main, ROWS, ({ isTable, text }) => {
    const record = text();
    if (!isTable || record.length !== TREE_BYTES)
      throw new Damage("its list of tables holds something that is no table");
    tables.push(treeAt(record, 0));
  });
  for (const table of tables) {
    await trees.follow(table, ROWS, ({ isTable }) => {
      if (isTable) throw new Damage("a table holds another table");
    });
  }
  const free = await freePages(trees, meta.free, lastPage);
  for (let page = there; page <= lastPage; page += 1) if (!free.has(page)) throw new Damage(cut);
}

interface Headers {
  readonly bytes: Buffer;
  readonly first?: Meta | undefined;
  readonly second?: Meta | undefined;
}

async function headersOf(file: FileHandle): Promise<Headers> {
  const one = await headerAt(file, 0);
  const first = metaIn(one);
  if (!first) return { bytes: one };
  const other = await headerAt(file, first.pageBytes);
  return { bytes: Buffer.concat([one, other]), first, second: metaIn(other) };
}

async function headerAt(file: FileHandle, at: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(META_BYTES), 0, META_BYTES, at);
  return buffer.subarray(0, bytesRead);
}

function metaIn(bytes: Buffer): Meta | undefined {
  if (bytes.length < META_BYTES || bytes.readUInt16LE(FLAGS_AT) !== HEADER) return undefined;
  if (bytes.readUInt32LE(PAGE_HEADER_BYTES) !== MAGIC) return undefined;
  if (bytes.readUInt16LE(PAGE_HEADER_BYTES + 4) !== VERSION) return undefined;
  const pageBytes = bytes.readUInt32LE(TREES_AT);
  const isFit =
    pageBytes >= PAGE_BYTES_MIN && pageBytes <= PAGE_BYTES_MAX && Number.isInteger(Math.log2(pageBytes));
  const lastPage = numberIn(bytes, LAST_PAGE_AT);
  const free = treeAt(bytes, TREES_AT);
  // DATA-FILE-5: `flags` has the file's options. With any other options, lmdb might crash.
  if (free.flags !== BY_NUMBER) return undefined;
  if (!isFit || !Number.isSafeInteger(lastPage * pageBytes)) return undefined;
  return {
    pageBytes,
    transaction: bytes.readBigUInt64LE(TRANSACTION_AT),
    lastPage,
    free,
    main: treeAt(bytes, TREES_AT + TREE_BYTES),
  };
}

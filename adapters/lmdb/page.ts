// Page
// Reads one page of lmdb's data file, and checks that lmdb could read the page without crashing.
//
//   Owns:          the form of a page and of the nodes in it; reading a page from the file.
//   Does not own:  trees of pages (tree.ts), the two pages at the file's beginning (data-file.ts).
//
// LMDB-PAGE-1. A page is valid only if it contains its own number, no later transaction than the file's newest, and nodes that
//     do not overlap: lmdb uses the numbers in a page unchecked, and a wrong number crashes the process.

import { readSync } from "node:fs";

/** The error for a damaged data file. Its message completes the sentence "The file is damaged: …". */
export class Damage extends Error {}

/** The length of a page's header. The places of the page's nodes are counted from the header's end. */
export const PAGE_HEADER_BYTES = 24;
const TRANSACTION_AT = 8;
export const FLAGS_AT = 18;
const LOWER_AT = 20;
const UPPER_AT = 22;
/** Only the first page of a long text has the number of the text's pages here; other pages have LOWER_AT and UPPER_AT here. */
const RUN_AT = 20;
const NODE_BYTES = 8;

const BRANCH = 0x01;
const LEAF = 0x02;
const TEXT = 0x04;
/** The flag of a header page: the file begins with two header pages. */
export const HEADER = 0x08;

/** The flag of a node whose text is on pages of its own. */
export const ELSEWHERE = 0x01;
/** The flag of a node whose text is the root of a named table. */
export const TABLE = 0x02;
/** The length of a reference to a text's own pages: the first page, the transaction that wrote it, the number of pages. */
const REFERENCE_BYTES = 24;

/** A part of a page's bytes: on a leaf, a key and its text; on a branch, a key and the number of the page below. */
export interface Node {
  /** The offset of the key in the page. */
  readonly from: number;
  readonly to: number;
  /** On a leaf: 0, `ELSEWHERE` or `TABLE`. */
  readonly flags: number;
  /** On a leaf: the text's length, wherever the text is. */
  readonly length: number;
  /** On a branch: the number of the page below. */
  readonly below: number;
}

export interface Page {
  readonly bytes: Buffer;
  readonly isLeaf: boolean;
  readonly nodes: readonly Node[];
}

export class Pages {
  readonly #fd: number;
  readonly #pageBytes: number;
  readonly #transaction: bigint;
  readonly count: number;

  constructor(fd: number, pageBytes: number, count: number, transaction: bigint) {
    this.#fd = fd;
    this.#pageBytes = pageBytes;
    this.count = count;
    this.#transaction = transaction;
  }

  /** Reads a branch or a leaf (LMDB-PAGE-1). @throws Damage if the page is neither. */
  node(at: number): Page {
    const bytes = this.#read(at, 0, this.#pageBytes);
    this.#checkHeader(bytes, at);
    const flags = bytes.readUInt16LE(FLAGS_AT);
    if (flags !== BRANCH && flags !== LEAF) throw new Damage(`page ${at} is of no known kind (${flags})`);
    const isLeaf = flags === LEAF;
    const nodes = nodesOf(bytes, isLeaf);
    if (!nodes) throw new Damage(`the nodes of page ${at} do not fit into it`);
    return { bytes, isLeaf, nodes };
  }

  /** @returns the pages of a text, to which its leaf refers. @throws Damage unless these pages exist and belong to the text. */
  text(reference: Buffer, length: number): { readonly first: number; readonly pages: number } {
    const first = numberIn(reference, 0);
    const pages = numberIn(reference, 16);
    if (pages < Math.ceil((PAGE_HEADER_BYTES + length) / this.#pageBytes))
      throw new Damage(`a text of ${length} bytes has only ${pages} pages`);
    if (first + pages > this.count) throw new Damage(`page ${first + pages - 1} is beyond its end`);
    const header = this.#read(first, 0, PAGE_HEADER_BYTES);
    this.#checkHeader(header, first);
    if (header.readUInt16LE(FLAGS_AT) !== TEXT) throw new Damage(`page ${first} begins no text`);
    if (header.readUInt32LE(RUN_AT) !== pages)
      throw new Damage(`the text at page ${first} has another number of pages than its leaf says`);
    return { first, pages };
  }

  /** The content of a text that is on pages of its own. The method `text` must have checked these pages. */
  content(first: number, length: number): Buffer {
    return this.#read(first, PAGE_HEADER_BYTES, length);
  }

  #checkHeader(bytes: Buffer, at: number): void {
    if (numberIn(bytes, 0) !== at) throw new Damage(`page ${at} has another page's number`);
    if (bytes.readBigUInt64LE(TRANSACTION_AT) > this.#transaction)
      throw new Damage(`page ${at} is newer than the file`);
  }

  #read(at: number, offset: number, length: number): Buffer {
    if (at >= this.count) throw new Damage(`page ${at} is beyond its end`);
    const bytes = Buffer.allocUnsafe(length);
    if (readSync(this.#fd, bytes, 0, length, at * this.#pageBytes + offset) < length)
      throw new Damage(`page ${at} is beyond its end`);
    return bytes;
  }
}

/** @returns an 8-byte number. A number above 2^53 is rounded, but is still larger than any page number. */
export const numberIn = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

/** What a leaf contains for a node: the text itself, or a reference to the text's own pages. */
export const heldIn = ({ bytes }: Page, { to, flags, length }: Node): Buffer =>
  bytes.subarray(to, to + held(flags, length));

const held = (flags: number, length: number): number =>
  (flags & ELSEWHERE) === 0 ? length : REFERENCE_BYTES;

/** @returns the page's nodes; undefined unless the nodes fill the end of the page without a gap or an overlap. */
function nodesOf(bytes: Buffer, isLeaf: boolean): readonly Node[] | undefined {
  const lower = bytes.readUInt16LE(LOWER_AT);
  const upper = bytes.readUInt16LE(UPPER_AT);
  const end = bytes.length - PAGE_HEADER_BYTES;
  if (lower % 2 !== 0 || lower > upper || upper > end) return undefined;
  const nodes: Node[] = [];
  const places = new Uint32Array(lower / 2);
  for (let n = 0; n < places.length; n += 1) {
    const place = bytes.readUInt16LE(PAGE_HEADER_BYTES + 2 * n);
    if (place < upper || place + NODE_BYTES > end) return undefined;
    const at = PAGE_HEADER_BYTES + place;
    const low = bytes.readUInt32LE(at);
    const flags = bytes.readUInt16LE(at + 4);
    const keyBytes = bytes.readUInt16LE(at + 6);
    const size = NODE_BYTES + keyBytes + (isLeaf ? held(flags, low) : 0);
    if (place + size > end) return undefined;
    places[n] = place * 0x1_0000 + size + (size % 2);
    const from = at + NODE_BYTES;
    const to = from + keyBytes;
    nodes.push(
      isLeaf
        ? { from, to, flags, length: low, below: 0 }
        : { from, to, flags: 0, length: 0, below: low + flags * 2 ** 32 },
    );
  }
  let next = upper;
  for (const each of places.sort()) {
    if (each >>> 16 !== next) return undefined;
    next += each & 0xffff;
  }
  return next === end ? nodes : undefined;
}

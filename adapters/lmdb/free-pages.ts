// Free pages
// lmdb's own list of unused pages, read from the file.
//
//   Owns:          the list's form in the file: a tree whose leaves hold runs of page numbers.
//   Does not own:  what follows from a missing page (data-file.ts).
//
// FREE-PAGES-1. The list is trusted only as far as the file goes: a page of the list that is not in the file ends the
//     reading.

import type { FileHandle } from "node:fs/promises";

/** Where a tree begins, and how many pages deep it is. */
export interface Tree {
  readonly depth: number;
  readonly root: bigint;
}

/** The length of a page's header. */
export const PAGE_HEADER_BYTES = 24;
const FLAGS_AT = 18;
const LOWER_AT = 20;
const LEAF = 0x02;
const NODE_BYTES = 8;
/** A node's text has pages of its own; the node names the first. */
const ELSEWHERE = 0x01;
const NUMBER_BYTES = 8;

/**
 * @param count how many pages the file has.
 * @param last the last page ever used.
 * @returns undefined when the list cannot be read to its end.
 */
export async function freePages(
  file: FileHandle,
  pageBytes: number,
  count: number,
  last: number,
  { depth, root }: Tree,
): Promise<ReadonlySet<number> | undefined> {
  const free = new Set<number>();
  if (depth === 0) return free;
  const read = async (first: number, bytes: number): Promise<Buffer> => {
    if ((first + 1) * pageBytes > count * pageBytes) throw new RangeError("beyond the end");
    const { bytesRead, buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, first * pageBytes);
    return buffer.subarray(0, bytesRead);
  };
  const walk = async (at: number, left: number): Promise<void> => {
    if (left === 0) throw new RangeError("deeper than it says");
    const page = await read(at, pageBytes);
    const isLeaf = (page.readUInt16LE(FLAGS_AT) & LEAF) !== 0;
    const places = page.readUInt16LE(LOWER_AT) / 2;
    for (let place = 0; place < places; place += 1) {
      // All offsets count from the end of the header.
      const node = PAGE_HEADER_BYTES + page.readUInt16LE(PAGE_HEADER_BYTES + 2 * place);
      const low = page.readUInt32LE(node);
      const flags = page.readUInt16LE(node + 4);
      if (!isLeaf) await walk(low + flags * 2 ** 32, left - 1);
      else {
        const data = node + NODE_BYTES + page.readUInt16LE(node + 6);
        const text =
          (flags & ELSEWHERE) === 0
            ? page.subarray(data, data + low)
            : (await read(Number(page.readBigUInt64LE(data)), PAGE_HEADER_BYTES + low)).subarray(
                PAGE_HEADER_BYTES,
              );
        addRuns(free, text, last);
      }
    }
  };
  try {
    await walk(Number(root), depth);
    return free;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The count of numbers, then the numbers: a page, or minus the length of a run and its first page; 0 is a gap. */
function addRuns(free: Set<number>, text: Buffer, last: number): void {
  const numbers = Number(text.readBigUInt64LE(0));
  let length = 1;
  for (let at = 1; at <= numbers; at += 1) {
    const number = Number(text.readBigInt64LE(at * NUMBER_BYTES));
    if (number < 0) length = -number;
    else {
      if (number + length - 1 > last) throw new RangeError("beyond what was ever used");
      for (let page = number; number > 0 && page < number + length; page += 1) free.add(page);
      length = 1;
    }
  }
}

// Free pages
// Reads lmdb's own list of unused pages from the file.
//
//   Owns:          the list's form in the file: a tree whose texts contain runs of page numbers.
//   Does not own:  following the tree (tree.ts), what a missing page means for the file (data-file.ts).
//
// FREE-PAGES-1. The list is valid only if it is complete, and names no page twice and no page in use: lmdb writes to the listed
//     pages without checking whether they are free.

import { Damage } from "./page.ts";
import type { Kind, Tree, Trees } from "./tree.ts";

const NUMBER_BYTES = 8;

export const BY_NUMBER = 0x08;

/** The form of lmdb's list of free pages. Its keys are transactions, and a branch may have a single page below it. */
const LIST: Kind = {
  flags: [BY_NUMBER],
  order: (one, other) => Number(transactionOf(one) - transactionOf(other)),
  belowMin: 1,
};

/**
 * @param trees has recorded the used pages of all tables, and records those of the list itself.
 * @param last the last page ever used.
 * @throws Damage if the list is not valid.
 */
export async function freePages(trees: Trees, list: Tree, last: number): Promise<ReadonlySet<number>> {
  const free = new Set<number>();
  await trees.follow(list, LIST, ({ isTable, text }) => {
    if (isTable) throw new Damage("its list of free pages holds a table");
    addRuns(free, text(), last);
  });
  for (const page of free)
    if (trees.isUsed(page)) throw new Damage(`page ${page} is in use and listed as free`);
  return free;
}

function transactionOf(key: Buffer): bigint {
  if (key.length !== NUMBER_BYTES)
    throw new Damage("its list of free pages has a key that is no transaction");
  return key.readBigUInt64LE(0);
}

/**
 * Adds the pages of one entry. The text is a count, then that many numbers. A negative number -k says that the next number is
 * the first of k free pages in a row; any other number is one free page, and 0 is no page.
 */
function addRuns(free: Set<number>, text: Buffer, last: number): void {
  const numbers = text.length < NUMBER_BYTES ? -1 : Number(text.readBigInt64LE(0));
  if (numbers < 0 || (numbers + 1) * NUMBER_BYTES > text.length)
    throw new Damage("its list of free pages is cut");
  let length = 1;
  for (let at = 1; at <= numbers; at += 1) {
    const number = Number(text.readBigInt64LE(at * NUMBER_BYTES));
    if (number < 0) length = -number;
    else {
      if (number === 1 || number + length - 1 > last)
        throw new Damage("its list of free pages names a page that was never used");
      for (let page = number; number > 0 && page < number + length; page += 1) {
        if (free.has(page)) throw new Damage(`page ${page} is listed as free twice`);
        free.add(page);
      }
      length = 1;
    }
  }
}

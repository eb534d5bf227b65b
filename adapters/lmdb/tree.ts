// Tree
// Follows the trees of lmdb's data file from their roots to all leaves.
//
//   Owns:          which pages belong to a tree, the order of the tree's keys, its depth and its counts.
//   Does not own:  the form of a page (page.ts), which trees there are (data-file.ts).
//
// LMDB-TREE-1. A file is accepted only if each page is used once: no tree contains a page twice, and no two trees share a page.
// LMDB-TREE-2. A tree is accepted only if it has the depth, the number of pages and the number of entries that its root says.
//     These numbers and the order of the keys also reveal a page that is valid in itself but comes from an older copy of the
//     file.

import { Damage, ELSEWHERE, heldIn, type Node, numberIn, type Page, type Pages, TABLE } from "./page.ts";

export interface Tree {
  readonly flags: number;
  readonly depth: number;
  readonly branches: number;
  readonly leaves: number;
  /** How many pages hold texts that are too long for a leaf. */
  readonly texts: number;
  readonly entries: number;
  /** The number of the root page; undefined for a tree without entries. */
  readonly root: number | undefined;
}

export const TREE_BYTES = 48;
const NO_ROOT = 0xffff_ffff_ffff_ffffn;
/** The most levels that lmdb allows a tree to have. */
const DEPTH_MAX = 32;

export function treeAt(bytes: Buffer, at: number): Tree {
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    branches: numberIn(bytes, at + 8),
    leaves: numberIn(bytes, at + 16),
    texts: numberIn(bytes, at + 24),
    entries: numberIn(bytes, at + 32),
    root: bytes.readBigUInt64LE(at + 40) === NO_ROOT ? undefined : numberIn(bytes, at + 40),
  };
}

export interface Kind {
  readonly flags: readonly number[];
  readonly order: (one: Buffer, other: Buffer) => number;
  /** How many pages a branch must have below it: lmdb ends the process if it meets a branch with fewer pages below. */
  readonly belowMin: number;
}

export interface Entry {
  readonly key: Buffer;
  readonly isTable: boolean;
  /** Reads the entry's text, whether the text is in the leaf or on pages of its own. */
  readonly text: () => Buffer;
}

/** How many pages are followed before the event loop runs again. */
const AT_ONCE = 2_000;

export class Trees {
  readonly #pages: Pages;
  readonly #used: Uint8Array;
  #followed = 0;

  constructor(pages: Pages) {
    this.#pages = pages;
    this.#used = new Uint8Array(pages.count);
    // The first two pages hold the file's headers.
    this.#used.fill(1, 0, 2);
  }

  isUsed(page: number): boolean {
    return this.#used[page] === 1;
  }

  /** Checks a tree. @param each called with every entry, in the order of the keys. @throws Damage */
  async follow(tree: Tree, kind: Kind, each: (entry: Entry) => void): Promise<void> {
    const { root, depth, flags } = tree;
    if (!kind.flags.includes(flags)) throw new Damage(`a tree is of no known form (${flags})`);
    if (depth > DEPTH_MAX || (depth === 0) !== (root === undefined))
      throw new Damage(`a tree has the depth ${depth}`);
    const walk = new Walk(this.#pages, (page, count) => this.#use(page, count), kind, each);
    if (root !== undefined) {
      for (const _ of walk.below(root, depth)) {
        this.#followed += 1;
        if (this.#followed % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    }
    walk.check(tree);
  }

  /** LMDB-TREE-1. Marks pages as used. @throws Damage if one is used already, or does not exist. */
  #use(first: number, count: number): void {
    for (let page = first; page < first + count; page += 1) {
      if (page >= this.#pages.count) throw new Damage(`page ${page} is beyond its end`);
      if (this.isUsed(page)) throw new Damage(`page ${page} belongs to two places`);
      this.#used[page] = 1;
    }
  }
}

class Walk {
  readonly #pages: Pages;
  readonly #use: (page: number, count: number) => void;
  readonly #kind: Kind;
  readonly #each: (entry: Entry) => void;
  readonly #found = { branches: 0, leaves: 0, texts: 0, entries: 0 };
  #before: Buffer | undefined;
  /** True right after the key of a branch: the first key of the page below may be equal to it. */
  #mayRepeat = false;

  constructor(
    pages: Pages,
    use: (page: number, count: number) => void,
    kind: Kind,
    each: (entry: Entry) => void,
  ) {
    this.#pages = pages;
    this.#use = use;
    this.#kind = kind;
    this.#each = each;
  }

  /**
   * Follows a page and all pages below it; yields once for each page.
   * @param levels the number of levels from this page down to the leaves, including both; 1 for a leaf.
   */
  *below(at: number, levels: number): Generator<void> {
    this.#use(at, 1);
    const page = this.#pages.node(at);
    if (page.isLeaf !== (levels === 1)) throw new Damage(`page ${at} is not as deep as its tree`);
    if (page.nodes.length < (page.isLeaf ? 1 : this.#kind.belowMin)) throw new Damage(`page ${at} is empty`);
    yield;
    if (page.isLeaf) {
      this.#found.leaves += 1;
      for (const node of page.nodes) this.#take(at, page, node);
      return;
    }
    this.#found.branches += 1;
    for (const [n, node] of page.nodes.entries()) {
      // lmdb never compares the first key of a branch page, so that key may be anything.
      if (n > 0) this.#pass(at, keyOf(page, node), true);
      yield* this.below(node.below, levels - 1);
    }
  }

  /** LMDB-TREE-2. Compares the counts that were found with those in the tree's root. @throws Damage */
  check(tree: Tree): void {
    const found = this.#found;
    if (found.entries !== tree.entries)
      throw new Damage(`a tree has ${found.entries} entries, and its root says ${tree.entries}`);
    const isSame =
      found.branches === tree.branches && found.leaves === tree.leaves && found.texts === tree.texts;
    if (!isSame) throw new Damage("a tree has not as many pages as its root says");
  }

  #take(at: number, page: Page, node: Node): void {
    const key = keyOf(page, node);
    this.#pass(at, key, false);
    this.#found.entries += 1;
    const { flags, length } = node;
    if (flags !== 0 && flags !== ELSEWHERE && flags !== TABLE)
      throw new Damage(`an entry of page ${at} is of no known kind (${flags})`);
    if (flags !== ELSEWHERE) {
      this.#each({ key, isTable: flags === TABLE, text: () => heldIn(page, node) });
      return;
    }
    const { first, pages } = this.#pages.text(heldIn(page, node), length);
    this.#use(first, pages);
    this.#found.texts += pages;
    this.#each({ key, isTable: false, text: () => this.#pages.content(first, length) });
  }

  #pass(at: number, key: Buffer, isBranch: boolean): void {
    const order = this.#before === undefined ? 1 : this.#kind.order(key, this.#before);
    if (order < 0 || (order === 0 && !this.#mayRepeat))
      throw new Damage(`the keys of page ${at} are out of order`);
    this.#before = key;
    // A branch page's key for a page below is often also the first key in that page below, so one key may come twice.
    this.#mayRepeat = isBranch;
  }
}

const keyOf = ({ bytes }: Page, { from, to }: Node): Buffer => bytes.subarray(from, to);

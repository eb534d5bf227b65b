// Search index
// Holds in memory the words of sessions, requests and calls, by workspace, in lower case.
//
//   Owns:          what matches a searched text, how much the index holds, what is dropped when the index is full.
//   Does not own:  extracting the words (search-words), what is shown of a hit (search).
//   Decided in:    docs/decisions/0045-search-in-memory.md.
//
// SEARCH-INDEX-1. The index never exceeds its limits. When it is full, it drops some actors of the workspace that has the most
//     actors, from that workspace's oldest block (SEARCH-INDEX-3). A search in this workspace then reports from which time on
//     its results are complete.
// SEARCH-INDEX-2. A search in one workspace reads nothing of another workspace.
// SEARCH-INDEX-3. Up to 256 actors of one kind form a block, and a block's texts are also held as one string. If a searched word
//     is not in this string, the search reads no actor of the block. So the time of a search depends on the length of the texts,
//     not on the number of actors.
// SEARCH-INDEX-4. An actor stays in the same block as long as the index holds the actor. So a search finds the actor once, even
//     if the actor changes during the search.

import { setImmediate as nextTick } from "node:timers/promises";
import type { Address } from "../../../machines/index.ts";

export const FOUND_KINDS = ["session", "request", "call"] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

export interface Indexed {
  readonly address: Address;
  readonly kind: FoundKind;
  /** When the session, request or call began, ms. */
  readonly at: number;
  /** All words of the actor, in lower case. */
  readonly text: string;
}

/**
 * The matching actors, each kind newest first. If a kind has one actor more than the limit, further actors of this kind match.
 */
export type Fitting = Readonly<Record<FoundKind, readonly Indexed[]>>;

interface Within {
  readonly limit: number;
  readonly workspace: string | undefined;
  readonly slice: { looked: number };
}

export interface IndexLimits {
  readonly things: number;
  readonly characters: number;
}

/**
 * After this many blocks, which takes some milliseconds, a search lets other work run. A block whose page must first be made
 * counts as `MADE` blocks.
 */
const AT_ONCE = 64;
const MADE = 8;
const BLOCK = 256;
/** When the index is full, it drops one in this many actors of the oldest block. */
const FORGOTTEN = 8;

/** A block of actors of one kind. The first search makes the block's page, which is valid until an actor in the block changes. */
interface Block {
  readonly kind: FoundKind;
  readonly things: Map<Address, Indexed>;
  /** When the newest actor of the block began, ms. */
  newest: number;
  page: Page | undefined;
}

interface Page {
  /** The actors of the block, newest first. */
  readonly things: readonly Indexed[];
  readonly text: string;
}

/** The part of the index that holds the actors of one workspace. */
interface Shelf {
  readonly blocks: Set<Block>;
  readonly places: Map<Address, Block>;
  /** For each kind of actor, the block to which new actors are added. */
  readonly open: Map<FoundKind, Block>;
  /** Actors that began before this time may have been dropped, ms. */
  forgottenTo: number;
}

const emptyShelf = (): Shelf => ({ blocks: new Set(), places: new Map(), open: new Map(), forgottenTo: 0 });

function roomIn({ open }: Shelf, kind: FoundKind): Block {
  const last = open.get(kind);
  if (last && last.things.size < BLOCK) return last;
  const next: Block = { kind, things: new Map(), newest: 0, page: undefined };
  open.set(kind, next);
  return next;
}

export class SearchIndex {
  readonly #limits: IndexLimits;
  readonly #shelves = new Map<string, Shelf>();
  #things = 0;
  #characters = 0;

  constructor(limits: IndexLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#things;
  }

  get characters(): number {
    return this.#characters;
  }

  get isFull(): boolean {
    return this.#things >= this.#limits.things || this.#characters >= this.#limits.characters;
  }

  has(workspace: string, address: Address): boolean {
    return this.#shelves.get(workspace)?.places.has(address) ?? false;
  }

  put(workspace: string, thing: Indexed): void {
    const shelf = this.#shelves.get(workspace) ?? emptyShelf();
    const before = shelf.places.get(thing.address);
    const known = before?.things.get(thing.address);
    // Most changes only change a state. States are not searched, so such a change leaves the index as it is.
    if (known?.text === thing.text && known.at === thing.at && known.kind === thing.kind) return;
    this.delete(workspace, thing.address);
    this.#shelves.set(workspace, shelf);
    const block = before?.kind === thing.kind ? before : roomIn(shelf, thing.kind);
    block.things.set(thing.address, thing);
    block.newest = Math.max(block.newest, thing.at);
    block.page = undefined;
    shelf.blocks.add(block);
    shelf.places.set(thing.address, block);
    this.#things += 1;
    this.#characters += thing.text.length;
    while (this.#isOver() && this.#things > 1) this.#forget();
  }

  delete(workspace: string, address: Address): void {
    const shelf = this.#shelves.get(workspace);
    const block = shelf?.places.get(address);
    const known = block?.things.get(address);
    if (!shelf || !block || !known) return;
    block.things.delete(address);
    block.page = undefined;
    shelf.places.delete(address);
    if (block.things.size === 0) shelf.blocks.delete(block);
    this.#things -= 1;
    this.#characters -= known.text.length;
    if (shelf.places.size === 0 && shelf.forgottenTo === 0) this.#shelves.delete(workspace);
  }

  /**
   * Actors that began before this time may have been dropped, ms; 0 if none were dropped.
   * @param workspace if left out, all workspaces.
   */
  forgottenTo(workspace?: string): number {
    return Math.max(0, ...this.#shelvesOf(workspace).map((shelf) => shelf.forgottenTo));
  }

  /** How many actors a search in this workspace, or in all workspaces, goes through. */
  sizeOf(workspace?: string): number {
    return this.#shelvesOf(workspace).reduce((sum, { places }) => sum + places.size, 0);
  }

  /**
   * @param words the words, in lower case. An actor matches if its text contains all of them.
   * @param limit how many results of each kind.
   * @param workspace if left out, all workspaces are searched.
   */
  async fitting(words: readonly string[], limit: number, workspace?: string): Promise<Fitting> {
    const slice = { looked: 0 };
    return {
      session: await this.#newestOf("session", words, { limit, workspace, slice }),
      request: await this.#newestOf("request", words, { limit, workspace, slice }),
      call: await this.#newestOf("call", words, { limit, workspace, slice }),
    };
  }

  async #newestOf(
    kind: FoundKind,
    words: readonly string[],
    { limit, workspace, slice }: Within,
  ): Promise<readonly Indexed[]> {
    const best = new Newest(limit + 1);
    for (const block of this.#blocksOf(kind, workspace)) {
      if (!best.wants(block.newest)) break;
      slice.looked += block.page ? 1 : MADE;
      if (slice.looked >= AT_ONCE) {
        slice.looked = 0;
        await nextTick();
      }
      const { text, things } = (block.page ??= pageOf(block));
      if (!words.every((word) => text.includes(word))) continue;
      for (const thing of things) {
        if (!best.wants(thing.at)) break;
        if (words.every((word) => thing.text.includes(word))) best.add(thing);
      }
    }
    return best.all;
  }

  /**
   * The blocks to search, the one with the newest actor first, so that the search can stop at the first block that is too old.
   */
  #blocksOf(kind: FoundKind, workspace: string | undefined): readonly Block[] {
    return this.#shelvesOf(workspace)
      .flatMap((shelf) => [...shelf.blocks].filter((block) => block.kind === kind))
      .sort((a, b) => b.newest - a.newest);
  }

  #shelvesOf(workspace: string | undefined): readonly Shelf[] {
    if (workspace === undefined) return [...this.#shelves.values()];
    const shelf = this.#shelves.get(workspace);
    return shelf ? [shelf] : [];
  }

  #isOver(): boolean {
    return this.#things > this.#limits.things || this.#characters > this.#limits.characters;
  }

  /** SEARCH-INDEX-1. Drops the oldest actors of the oldest block. Dropping the whole block would delay other work. */
  #forget(): void {
    const most = least(this.#shelves, ([, { places }]) => -places.size);
    if (!most) return;
    const [workspace, shelf] = most;
    const oldest = least(shelf.blocks, ({ newest }) => newest);
    if (!oldest) return;
    const things = [...oldest.things.values()];
    const times = things.map(({ at }) => at).sort((a, b) => a - b);
    const cut = times[Math.floor(times.length / FORGOTTEN)] ?? 0;
    for (const { address, at } of things) if (at <= cut) this.delete(workspace, address);
    shelf.forgottenTo = Math.max(shelf.forgottenTo, cut);
    this.#shelves.set(workspace, shelf);
  }
}

function least<T>(all: Iterable<T>, measure: (each: T) => number): T | undefined {
  let found: { readonly each: T; readonly figure: number } | undefined;
  for (const each of all) {
    const figure = measure(each);
    if (!found || figure < found.figure) found = { each, figure };
  }
  return found?.each;
}

function pageOf({ things: all }: Block): Page {
  const things = [...all.values()].sort((a, b) => b.at - a.at);
  return { things, text: things.map(({ text }) => text).join("\n") };
}

/** Collects the newest matching actors of one kind, as many as are wanted. */
class Newest {
  readonly #room: number;
  readonly all: Indexed[] = [];

  constructor(room: number) {
    this.#room = room;
  }

  /**
   * True if an actor that began at this time may be among the results. This is checked before the text, because most are too old.
   */
  wants(at: number): boolean {
    const last = this.all.at(-1);
    return this.all.length < this.#room || last === undefined || at > last.at;
  }

  add(thing: Indexed): void {
    const place = this.all.findIndex(({ at }) => at < thing.at);
    this.all.splice(place < 0 ? this.all.length : place, 0, thing);
    if (this.all.length > this.#room) this.all.pop();
  }
}

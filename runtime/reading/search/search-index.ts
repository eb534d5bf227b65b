// Search index
// The words of sessions, requests and calls in memory, by workspace, each in small letters.
//
//   Owns:          what fits a text, how much is kept, what is forgotten when there is too much.
//   Does not own:  where the words come from (search-words), what is shown of a hit (search).
//   Decided in:    docs/decisions/0045-search-in-memory.md.
//
// SEARCH-INDEX-1. It never holds more than its limits. Over them, the workspace with the most things forgets old ones,
//     a part of a block at a time, and a search there says since when it knows all.
// SEARCH-INDEX-2. A search within a workspace reads the things of no other.
// SEARCH-INDEX-3. The texts of a few hundred things of one kind stand in one string as well: where a word is not in
//     that, none of them is looked at. So a search costs the length of the texts, not the number of things.
// SEARCH-INDEX-4. A thing stays in its block as long as it is kept. So a search finds it once, whatever changes between
//     two of its slices.

import { setImmediate as nextTick } from "node:timers/promises";
import type { Address } from "../../../machines/index.ts";

export const FOUND_KINDS = ["session", "request", "call"] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** An actor as it is searched. */
export interface Indexed {
  readonly address: Address;
  readonly kind: FoundKind;
  /** When it began, ms. */
  readonly at: number;
  /** All its words, in small letters. */
  readonly text: string;
}

/** What fits, each kind newest first, and of each kind one more than was asked for where there are more. */
export type Fitting = Readonly<Record<FoundKind, readonly Indexed[]>>;

/** Where is looked, for how many, and how many blocks the search has looked through. */
interface Within {
  readonly limit: number;
  readonly workspace: string | undefined;
  readonly slice: { looked: number };
}

export interface IndexLimits {
  readonly things: number;
  readonly characters: number;
}

/** Blocks looked through before others get their turn: some milliseconds, where all their pages must be made. */
const AT_ONCE = 8;
const BLOCK = 256;
/** Of the things in a block, when there are too many in all: one of so many goes. */
const FORGOTTEN = 8;

/** Things of one kind, and what the first search makes of them, until one of them changes. */
interface Block {
  readonly kind: FoundKind;
  readonly things: Map<Address, Indexed>;
  /** None of them began later, ms. */
  newest: number;
  page: Page | undefined;
}

interface Page {
  /** Newest first. */
  readonly things: readonly Indexed[];
  /** All their texts. */
  readonly text: string;
}

interface Shelf {
  /** Those with things. */
  readonly blocks: Set<Block>;
  readonly places: Map<Address, Block>;
  /** The last one of each kind. */
  readonly open: Map<FoundKind, Block>;
  /** Things that began before may have been forgotten, ms. */
  forgottenTo: number;
}

const emptyShelf = (): Shelf => ({ blocks: new Set(), places: new Map(), open: new Map(), forgottenTo: 0 });

/** The block where the next thing of a kind goes. */
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

  /** Whether there is room for no more. */
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
    // Most changes are only of a state, and states are not searched.
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

  /** What began before may have been forgotten, ms; 0 where nothing was. @param workspace any, if not given. */
  forgottenTo(workspace?: string): number {
    return Math.max(0, ...this.#shelvesOf(workspace).map((shelf) => shelf.forgottenTo));
  }

  /** How many things a search there goes through. */
  sizeOf(workspace?: string): number {
    return this.#shelvesOf(workspace).reduce((sum, { places }) => sum + places.size, 0);
  }

  /**
   * @param words in small letters; a thing fits that has every one of them.
   * @param limit how many of each kind; the newest. @param workspace any, if not given.
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
      if ((slice.looked += 1) % AT_ONCE === 0) await nextTick();
      const { text, things } = (block.page ??= pageOf(block));
      if (!words.every((word) => text.includes(word))) continue;
      for (const thing of things) {
        if (!best.wants(thing.at)) break;
        if (words.every((word) => thing.text.includes(word))) best.add(thing);
      }
    }
    return best.all;
  }

  /** The newest come first, so that a result never has to make room for a newer one. */
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

  /** SEARCH-INDEX-1. Of its oldest block a part: all at once would hold up whoever else waits. */
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

/** The newest things of one kind, as many as are wanted. */
class Newest {
  readonly #room: number;
  readonly all: Indexed[] = [];

  constructor(room: number) {
    this.#room = room;
  }

  /** Looked at before its text is: most things are older than what was found. */
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

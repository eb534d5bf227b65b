// Search index
// The words of sessions, requests and calls in memory, by workspace, each in small letters.
//
//   Owns:          what fits a text, how much is kept, what is forgotten when there is too much.
//   Does not own:  where the words come from (search-words), what is shown of a hit (search).
//   Decided in:    docs/decisions/0045-search-in-memory.md.
//
// SEARCH-INDEX-1. It never holds more than its limits. Over them, the workspace with the most things forgets its oldest
//     ones, and a search there says so.
// SEARCH-INDEX-2. A search within a workspace reads the things of no other.
// SEARCH-INDEX-3. The texts of a few hundred things stand in one string as well: where a word is not in that, none of
//     them is looked at. So a search costs the length of the texts, not the number of things.

import { setImmediate as nextTick } from "node:timers/promises";
import type { Address } from "../../machines/index.ts";

export const FOUND_KINDS = ["session", "request", "call"] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** A thing as it is searched. */
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

export interface IndexLimits {
  readonly things: number;
  readonly characters: number;
}

/** Blocks looked through before others get their turn. */
const AT_ONCE = 32;
const BLOCK = 256;
/** Of the largest workspace's things, when there are too many: one of so many goes. */
const FORGOTTEN = 8;

/** Things beside one another, and what is made of them for searches, until one of them changes. */
interface Block {
  readonly things: Map<Address, Indexed>;
  page: Page | undefined;
}

interface Page {
  /** Newest first. */
  readonly things: readonly Indexed[];
  readonly newest: number;
  /** All their texts. */
  readonly text: string;
}

interface Shelf {
  readonly blocks: Set<Block>;
  readonly places: Map<Address, Block>;
  /** The one that has room. */
  open: Block;
  /** Things that began before may have been forgotten, ms. */
  forgottenTo: number;
}

const emptyBlock = (): Block => ({ things: new Map(), page: undefined });

function emptyShelf(): Shelf {
  const open = emptyBlock();
  return { blocks: new Set([open]), places: new Map(), open, forgottenTo: 0 };
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
    const known = shelf.places.get(thing.address)?.things.get(thing.address);
    // Most changes are of a state, which is no word.
    if (known?.text === thing.text && known.at === thing.at && known.kind === thing.kind) return;
    this.delete(workspace, thing.address);
    this.#shelves.set(workspace, shelf);
    if (shelf.open.things.size >= BLOCK) shelf.blocks.add((shelf.open = emptyBlock()));
    shelf.open.things.set(thing.address, thing);
    shelf.open.page = undefined;
    shelf.places.set(thing.address, shelf.open);
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
    if (block.things.size === 0 && block !== shelf.open) shelf.blocks.delete(block);
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
    const best = {
      session: new Newest(limit + 1),
      request: new Newest(limit + 1),
      call: new Newest(limit + 1),
    };
    let looked = 0;
    for (const { text, things, newest } of this.#pagesOf(workspace)) {
      if ((looked += 1) % AT_ONCE === 0) await nextTick();
      if (!FOUND_KINDS.some((kind) => best[kind].wants(newest))) break;
      if (!words.every((word) => text.includes(word))) continue;
      for (const thing of things) {
        const kept = best[thing.kind];
        if (kept.wants(thing.at) && words.every((word) => thing.text.includes(word))) kept.add(thing);
      }
    }
    return { session: best.session.all, request: best.request.all, call: best.call.all };
  }

  /** With the newest thing first: what is found first need not make room for what is newer. */
  #pagesOf(workspace: string | undefined): readonly Page[] {
    const blocks = this.#shelvesOf(workspace).flatMap((shelf) => [...shelf.blocks]);
    return blocks.map((block) => (block.page ??= pageOf(block))).sort((a, b) => b.newest - a.newest);
  }

  #shelvesOf(workspace: string | undefined): readonly Shelf[] {
    if (workspace === undefined) return [...this.#shelves.values()];
    const shelf = this.#shelves.get(workspace);
    return shelf ? [shelf] : [];
  }

  #isOver(): boolean {
    return this.#things > this.#limits.things || this.#characters > this.#limits.characters;
  }

  /** SEARCH-INDEX-1. Many at once: to find the oldest, all times are put in order. */
  #forget(): void {
    const [first, ...others] = this.#shelves;
    if (!first) return;
    const [workspace, shelf] = others.reduce(
      (most, each) => (each[1].places.size > most[1].places.size ? each : most),
      first,
    );
    const things = [...shelf.blocks].flatMap((block) => [...block.things.values()]);
    const times = Float64Array.from(things, ({ at }) => at).sort();
    const cut = times[Math.floor(times.length / FORGOTTEN)] ?? 0;
    for (const { address, at } of things) if (at <= cut) this.delete(workspace, address);
    shelf.forgottenTo = Math.max(shelf.forgottenTo, cut);
    this.#shelves.set(workspace, shelf);
  }
}

function pageOf({ things: all }: Block): Page {
  const things = [...all.values()].sort((a, b) => b.at - a.at);
  return { things, newest: things[0]?.at ?? 0, text: things.map(({ text }) => text).join("\n") };
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

// Search
// Finds sessions, requests and calls by their words, among everything that is stored.
//
//   Owns:          when the search index exists, keeping the index up to date, what is shown of a hit.
//   Does not own:  filling the index (search-filling), matching (search-index), the words of an actor (search-words),
//                  finding an id (lookup).
//   Decided in:    docs/decisions/0045-search-in-memory.md.
//
// SEARCH-1. A hit shows the session, request or call as the store has it now. A session, request or call that no longer exists
//     is not a hit. A request or a call that waits for a person has the state `waiting`.
// SEARCH-2. The result of a search says whether the search read everything, and how much it read.
// SEARCH-3. The first search creates the index. After 100,000 changes without a search, the index is dropped.

import { setImmediate as nextTick } from "node:timers/promises";
import { type Address, defined, parseAddress } from "../../../machines/index.ts";
import type { StateChange } from "../../rows/changes.ts";
import type { AtPeer } from "../../rows/views.ts";
import type { Engine } from "../../engine/engine.ts";
import { RefusedError } from "../../errors/errors.ts";
import type { Found, Reader } from "../reader.ts";
import { addressesOf } from "../lookup.ts";
import { limitOf } from "../paging.ts";
import { Filling, type FillingLimits } from "./search-filling.ts";
import { FOUND_KINDS, type FoundKind } from "./search-index.ts";
import { everything, indexed } from "./search-rows.ts";
import { around, wordsIn, wordsOfCall, wordsOfRequest, wordsOfSession } from "./search-words.ts";

export interface SearchWish {
  /** A hit must contain each word of this text. Without a text, the newest sessions, requests and calls are found. */
  readonly text?: string;
  readonly workspace?: string;
  /** If `workspace` is left out, these workspaces are searched, one after another. */
  readonly workspaces?: readonly string[];
  /** How many hits of each kind are shown at most. */
  readonly limit?: number;
}

export interface Hit extends AtPeer {
  readonly kind: FoundKind | "approval";
  readonly workspace: string;
  readonly sessionId: string;
  readonly id: string;
  /** When the session, request or call began, ms. */
  readonly at: number;
  /** The state of the session, request or call; `waiting` for a request or call that waits for a person. */
  readonly state: string;
  /** The title of a session, the prompt of a request, or the tool of a call. */
  readonly title: string;
  /** A line of the hit that contains one of the searched words. */
  readonly around?: string;
  /** The title of the hit's session. */
  readonly session?: string;
}

export interface SearchAnswer {
  /** The hits: first what has the text as its id; then sessions, requests and calls, each kind newest first. */
  readonly items: readonly Hit[];
  /** The kinds that have more hits than are shown. */
  readonly more: readonly FoundKind[];
  /** How many sessions, requests and calls the search went through. */
  readonly searched: number;
  /**
   * True if the search went through everything that is stored. If false, a later search goes through more, until the index is
   * full.
   */
  readonly isWhole: boolean;
  /** Sessions, requests and calls that began before this time, ms, may be missing, because the index is full. */
  readonly since?: number;
}

function together(found: readonly SearchAnswer[]): SearchAnswer {
  const since = Math.max(0, ...found.map((each) => each.since ?? 0));
  return {
    items: found.flatMap(({ items }) => items),
    more: FOUND_KINDS.filter((kind) => found.some(({ more }) => more.includes(kind))),
    searched: found.reduce((sum, { searched }) => sum + searched, 0),
    isWhole: found.every(({ isWhole }) => isWhole),
    ...(since > 0 && { since }),
  };
}

export const SEARCH_LIMIT = 10;
const TEXT_MAX = 200;
const WORDS_MAX = 8;
/** How many hits are made, in a few milliseconds, before other work runs. */
const SHOWN_AT_ONCE = 10;

export interface SearchLimits extends FillingLimits {
  /** After this many changes without a search, the index is dropped. */
  readonly quiet: number;
}

const LIMITS: SearchLimits = {
  things: 250_000,
  characters: 32 * 1024 * 1024,
  // Reading so many rows takes some milliseconds; then other work of the engine runs.
  rows: 50,
  waitMs: 50,
  quiet: 100_000,
};

interface Held {
  readonly filling: Filling;
  /** How many changes were made since the last search. */
  quiet: number;
  readonly end: () => void;
}

export class Search {
  readonly #engine: Engine;
  readonly #reader: Reader;
  readonly #limits: SearchLimits;
  #held: Held | undefined;

  constructor(engine: Engine, reader: Reader, limits: SearchLimits = LIMITS) {
    this.#engine = engine;
    this.#reader = reader;
    this.#limits = limits;
  }

  /** How many actors the index holds; 0 without an index. */
  get kept(): number {
    return this.#held?.filling.index.size ?? 0;
  }

  /** @throws RefusedError BAD_PARAMETER, BAD_LIMIT */
  async find({ workspaces, ...wish }: SearchWish): Promise<SearchAnswer> {
    if (workspaces === undefined || wish.workspace !== undefined) return this.#find(wish);
    const found: SearchAnswer[] = [];
    for (const workspace of workspaces) found.push(await this.#find({ ...wish, workspace }));
    return together(found);
  }

  async #find({
    text = "",
    workspace,
    limit = SEARCH_LIMIT,
  }: Omit<SearchWish, "workspaces">): Promise<SearchAnswer> {
    limitOf({ limit });
    const words = checkedWords(text);
    const held = (this.#held ??= this.#begin());
    held.quiet = 0;
    const { filling } = held;
    await filling.readOn();
    const { index } = filling;
    const fitting = await index.fitting(words, limit, workspace);
    const exact =
      words.length === 1 ? addressesOf(this.#reader, text.trim(), defined({ workspace }), limit) : [];
    const things = FOUND_KINDS.flatMap((kind) => fitting[kind].slice(0, limit).map(({ address }) => address));
    const since = Math.max(filling.readTo, index.forgottenTo(workspace));
    const items: Hit[] = [];
    for (const [n, address] of [...new Set([...exact, ...things])].entries()) {
      items.push(...this.#shown(filling, address, words));
      if (n % SHOWN_AT_ONCE === SHOWN_AT_ONCE - 1) await nextTick();
    }
    return {
      items,
      more: FOUND_KINDS.filter((kind) => fitting[kind].length > limit),
      searched: index.sizeOf(workspace),
      isWhole: filling.isRead && since === 0,
      ...(since > 0 && { since }),
    };
  }

  #begin(): Held {
    const broken = (key: string, error: unknown): void => this.#engine.defects.ofRow(key, error);
    const isWanted = (filling: Filling): boolean => this.#held?.filling === filling && this.#engine.isReady;
    const held: Held = {
      filling: new Filling(this.#limits, everything(this.#engine.store, broken), isWanted),
      quiet: 0,
      end: this.#engine.onChanges((changes) => this.#heard(held, changes)),
    };
    return held;
  }

  #heard(held: Held, changes: readonly StateChange[]): void {
    held.quiet += changes.length;
    if (held.quiet > this.#limits.quiet && this.#held === held) {
      held.end();
      this.#held = undefined;
      return;
    }
    for (const change of changes) {
      const thing = indexed(change);
      if (thing) held.filling.index.put(change.workspace, thing);
    }
  }

  /** SEARCH-1: the hit for an actor. A row that cannot be read gives no hit. */
  #shown({ index }: Filling, address: Address, words: readonly string[]): readonly Hit[] {
    try {
      const found = this.#reader.actor(address);
      if (found) return [this.#hitOf(found, words)];
      index.delete(parseAddress(address).workspace, address);
    } catch (error) {
      this.#engine.defects.ofRow(address, error);
    }
    return [];
  }

  #hitOf(found: Found, words: readonly string[]): Hit {
    const { workspace, session: sessionId, kind, id } = found.where;
    const place = { kind, workspace, sessionId, id } as const;
    const home = (): Pick<Hit, "session"> => defined({ session: this.#titleOf(found) });
    switch (kind) {
      case "session": {
        const view = this.#reader.session(found);
        const { title, state, createdAt: at } = view;
        const shown = around(wordsOfSession(view), words, 2);
        return { ...place, at, state, title: title ?? id, ...defined({ around: shown }) };
      }
      case "request": {
        const view = this.#reader.request(found);
        const { state, waiting, createdAt: at } = view;
        const title = around(wordsOfRequest(view), words, 1) ?? id;
        return { ...place, at, state: waiting ? "waiting" : state, title, ...home() };
      }
      case "call": {
        const view = this.#reader.call(found);
        const { tool, execution, approval, closedAt, createdAt: at } = view;
        const isWaiting = closedAt === undefined && approval?.state === "pending";
        const shown = around(wordsOfCall(view), words, 2);
        const state = isWaiting ? "waiting" : execution;
        return { ...place, at, state, title: tool, ...defined({ around: shown }), ...home() };
      }
      case "approval": {
        const { tool, state, askedAt: at } = this.#reader.approval(found);
        return { ...place, at, state, title: tool, ...home() };
      }
    }
  }

  #titleOf({ where: { workspace, session } }: Found): string | undefined {
    const found = this.#reader.actor(`${workspace}/${session}` as Address);
    return found && (this.#reader.session(found).title ?? session);
  }
}

/** @throws RefusedError BAD_PARAMETER for a text that is too long or has too many words. */
function checkedWords(text: string): readonly string[] {
  const words = wordsIn(text);
  if (text.length <= TEXT_MAX && words.length <= WORDS_MAX) return words;
  throw new RefusedError(
    "BAD_PARAMETER",
    `The parameter text has more than ${TEXT_MAX} characters, or more than ${WORDS_MAX} words.`,
    "Search for fewer words: a result must contain each of them.",
    "text",
  );
}

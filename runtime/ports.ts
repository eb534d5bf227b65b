// Ports
// What the engine needs from outside, as interfaces. Each has one contract suite that every implementation passes.
//
//   Owns:          the interfaces and what they promise.
//   Does not own:  any implementation (adapters/).
//
// PORTS-1. What `append` acknowledged is read again, unchanged, in the same order, after any crash.
// PORTS-2. What `commit` acknowledged is on disk; what it did not acknowledge is there whole or not at all, and no
//     reader sees it before it is durable.
// PORTS-3. A store has one writer: once a second has opened it, every commit of the first fails.
// PORTS-4. A blob that was put is there whole after any crash; one that was being put is there whole or not at all.
// PORTS-5. What `get` gives is what was put under that hash: anything else found there is an error, never an answer.

import type { Trouble } from "./trouble.ts";

/** One write of a commit. Keys are printable ASCII, at most 1,000 bytes; values are text the store does not read. */
export type Write = { readonly put: string; readonly value: string } | { readonly del: string };

export interface Range {
  readonly gte: string;
  readonly lt: string;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** Ordered, durable key–value text. */
export interface Store {
  /**
   * Takes the store over from any earlier owner and makes that durable before it returns.
   * @returns the new epoch: one more than the last.
   * @throws StoreBusy when a live process holds the store; StoreFull when the epoch cannot be written.
   */
  open(): Promise<number>;
  /** @returns durable values only. */
  get(key: string): string | undefined;
  /** Rows in key order (bytewise), durable only. */
  range(range: Range): Iterable<readonly [key: string, value: string]>;
  /**
   * All writes or none, in order; resolves once they are on disk.
   * @throws StoreFailed on any failure: the caller must stop at once, without trying again.
   */
  commit(writes: readonly Write[]): Promise<void>;
  close(): Promise<void>;
}

/** Entries that are gone, by the positions they had. */
export interface Missing {
  readonly first: number;
  readonly last: number;
}

/** Where somebody who is no engine published an entry, as far as that says anything. */
export interface Published {
  readonly workspace?: string;
  readonly type?: string;
}

export interface JournalEntry {
  /** Dense, from 1. */
  readonly position: number;
  /** What the clock of whoever keeps the journal said, ms. It may go back (journal-time). */
  readonly at: number;
  /** May be read only when it is asked for. */
  readonly body: string;
  /** Set on what no door has checked. */
  readonly from?: Published;
  /** By which the entry is known again, where the journal is one that others can change. */
  readonly hash?: string;
  /** What it takes up in the journal, where that is not the length of its body. */
  readonly bytes?: number;
  /** Set on what stands for entries that are gone, from here up to its position; it has no body. */
  readonly missingFrom?: number;
}

/** Where a journal stood when it was last read. */
export interface Cursor {
  readonly incarnation: string;
  readonly position: number;
  /** The hash of the entry at the position, where it had one. */
  readonly hash?: string;
}

/** How what is appended is taken in. */
export interface Appending {
  /** True for the engine's own words: room is kept for them. */
  readonly own?: boolean;
  /** Asked where there is no room: lets go of what may go. @returns whether something went. */
  readonly makeRoom?: () => Promise<boolean>;
}

/** How much a journal holds, and how much it may; `max` is Infinity where nothing bounds it. */
export interface Fill {
  readonly bytes: number;
  readonly max: number;
}

/** An ordered, durable log of inputs. */
export interface Journal {
  /**
   * @param cursor where the reader stopped last time; undefined for a fresh store.
   * @param past true to go on past entries that are gone by now: what stands for them is read in their place. Those that
   *   go later are an error as ever.
   * @returns the cursor to read on from.
   * @throws JournalRegressed when the journal is not the one the cursor was taken from, or has lost entries.
   */
  open(cursor: Cursor | undefined, past?: boolean): Promise<Cursor>;
  /**
   * Appends in order. Where there is no room, `makeRoom` is asked, and it is tried again.
   * @returns their positions, once all are durable.
   * @throws JournalFailed, JournalFull: then none of them is in the journal.
   */
  append(bodies: readonly string[], how?: Appending): Promise<readonly number[]>;
  /** How full it is. */
  fill(): Promise<Fill>;
  /**
   * Entries after `position`, in order, at most `limit`; waits until there is one, or returns [] once aborted.
   * An entry may be read before it is durable only where nothing its reader commits can become durable without it.
   * @throws JournalRegressed where entries are gone.
   */
  read(position: number, limit: number, signal: AbortSignal): Promise<readonly JournalEntry[]>;
  /** The entry at a position, for one who looks back: no reader is disturbed. Undefined where there is none, or no longer. */
  entry(position: number): Promise<JournalEntry | undefined>;
  /** The last position that is durable; 0 when empty. */
  tail(): number;
  /** Lets go of entries up to and including `position`. */
  trim(position: number): Promise<void>;
  /** What does not work just now; absent where the journal has no far side. */
  troubles?(): readonly Trouble[];
  close(): Promise<void>;
}

/** One state change on its way out. */
export interface OutgoingChange {
  /** The change's number in the change log. */
  readonly n: number;
  /** `<workspace>/<session>:<version>`: the same change always carries the same id. */
  readonly messageId: string;
  readonly subject: string;
  readonly body: string;
}

/** One dead letter on its way out. */
export interface OutgoingLetter {
  /** Its number among the dead letters. */
  readonly n: number;
  /** `dead:<incarnation>:<n>`: the same letter always carries the same id. */
  readonly messageId: string;
  readonly subject: string;
  /** Printable ASCII, one line each. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Something told once, to whoever listens; it is kept nowhere. */
export interface Notice {
  readonly subject: string;
  readonly body: string;
}

/** Where state changes are published. */
export interface Outlet {
  /**
   * Resolves once the other side has taken the change.
   * @throws RefusedError when it will not as things are: TOO_LARGE for one that is longer than can be carried, which the
   *   caller makes shorter; any other holds the session of the change. Any other error: the caller goes back to it.
   */
  publish(change: OutgoingChange): Promise<void>;
  /** The highest version of a session the other side has; 0 when none is known. */
  lastVersion(workspace: string, session: string): Promise<number>;
  /**
   * Resolves once the other side has taken the letter; what comes again under a known id is taken once. An outlet
   * without it leaves dead letters where they are. @throws as `publish` does.
   */
  publishLetter?(letter: OutgoingLetter): Promise<void>;
  /** Resolves once the notice is on its way to those who listen. @throws when it is not; the caller tries again. */
  notify?(notice: Notice): Promise<void>;
  /** What does not work just now, beside what it throws. */
  troubles?(): readonly Trouble[];
  close(): Promise<void>;
}

/**
 * Large texts beside the store, each under the SHA-256 of its UTF-8 in hex. Any other name is refused
 * (InvariantViolation BAD_BLOB_NAME) before anything is touched.
 */
export interface Blobs {
  /**
   * Resolves once the text is durable. Put again, it is the same blob, as young as if it were new; a damaged one is
   * whole again.
   * @throws RetryableError BLOB_NOT_KEPT when it could not be made durable.
   */
  put(hash: string, text: string): Promise<void>;
  /**
   * @returns undefined when there is none.
   * @throws InvariantViolation BLOB_DAMAGED when what is there cannot be read, or is not what was put.
   */
  get(hash: string): Promise<string | undefined>;
  /** The hashes of blobs last put before a time, ms. */
  old(before: number): Promise<readonly string[]>;
  /** Lets a blob go, unless it was put again at or after that time, ms. */
  drop(hash: string, before: number): Promise<void>;
}

export interface Clock {
  /** Wall time, ms. */
  now(): number;
  /** Monotonic time, ms, from an arbitrary start. */
  monotonic(): number;
  /** Calls back once after `delayMs`; @returns a function that cancels. */
  after(delayMs: number, callback: () => void): () => void;
}

export interface Ids {
  /** A UUID, version 7. */
  uuid(): string;
}

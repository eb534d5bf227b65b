// Ports
// What the engine needs from outside, as interfaces. All implementations of one pass the same contract suite (contracts/).
//
//   Owns:          the interfaces and their promises.
//   Does not own:  any implementation (adapters/).
//
// PORTS-1. What `append` acknowledged is read again, unchanged, in the same order, after any crash.
// PORTS-2. What `commit` acknowledged is on disk; what it did not acknowledge is there whole or not at all, and no
//     reader sees it before it is durable.
// PORTS-3. A store has one writer: once a second has opened it, every commit of the first fails.
// PORTS-4. After any crash, a stored blob is there whole. A blob that was being stored is there whole or not at all.
// PORTS-5. `get` returns what was put under that hash; if something else is found there, it throws.

import type { Trouble } from "./errors/trouble.ts";

/** One write of a commit. Keys are printable ASCII, at most 1,000 bytes; values are text, which no store reads. */
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
   * Takes the store over from any earlier owner, and makes that durable before it returns.
   * @returns the new epoch: one more than the last.
   * @throws StoreBusy if a live process holds the store; StoreFull if the epoch cannot be written.
   */
  open(): Promise<number>;
  /** @returns durable values only. */
  get(key: string): string | undefined;
  /** Rows in key order (bytewise), only durable ones. */
  range(range: Range): Iterable<readonly [key: string, value: string]>;
  /**
   * All writes or none, in order; resolves once they are on disk.
   * @throws StoreFailed on any failure: the caller must stop at once, without trying again.
   */
  commit(writes: readonly Write[]): Promise<void>;
  close(): Promise<void>;
}

/** Missing entries, by the positions they had. */
export interface Missing {
  readonly first: number;
  readonly last: number;
}

/** Where an entry was published by anybody but the engine, as far as that is known. */
export interface Published {
  readonly workspace?: string;
  readonly type?: string;
}

export interface JournalEntry {
  /** Dense, from 1. */
  readonly position: number;
  /** The journal keeper's clock, ms. It may go back (journal-time). */
  readonly at: number;
  /** May be read lazily. */
  readonly body: string;
  /** Set on entries that no door has checked. */
  readonly from?: Published;
  /** Identifies the entry in a journal that others can change. */
  readonly hash?: string;
  /** The space it takes in the journal, if that is not the length of its body. */
  readonly bytes?: number;
  /** Set if this entry stands for missing ones: from this position to its own. It has no body. */
  readonly missingFrom?: number;
}

/** Where a journal stood when it was last read. */
export interface Cursor {
  readonly incarnation: string;
  readonly position: number;
  /** The hash of the entry at the position, if it had one. */
  readonly hash?: string;
}

/** How entries are appended. */
export interface Appending {
  /** True for own messages: room is kept for them. */
  readonly own?: boolean;
  /** Called if there is no room: trims what it may. @returns whether anything went. */
  readonly makeRoom?: () => Promise<boolean>;
}

/** The size of a journal, and its limit; `max` is Infinity if there is none. */
export interface Fill {
  readonly bytes: number;
  readonly max: number;
}

/** An ordered, durable log of inputs. */
export interface Journal {
  /**
   * @param cursor where the reader stopped last time; undefined for a fresh store, which has read nothing.
   * @param past true to go on past entries that are missing now: an entry that stands for them is read in their place.
   *   Entries that go missing later are an error as ever.
   * @returns the cursor to read on from.
   * @throws JournalRegressed if the journal is not the one the cursor was taken from, or lacks entries behind it.
   */
  open(cursor: Cursor | undefined, past?: boolean): Promise<Cursor>;
  /**
   * Appends in order. If there is no room, `makeRoom` is called, and the append is tried again.
   * @returns their positions, once all are durable.
   * @throws JournalFailed, JournalFull: then none of them is in the journal.
   */
  append(bodies: readonly string[], how?: Appending): Promise<readonly number[]>;
  /** How full it is. */
  fill(): Promise<Fill>;
  /**
   * Entries after `position`, in order, at most `limit`; waits until there is one, or returns [] once aborted.
   * An entry may be read before it is durable only if nothing its reader commits can become durable without it.
   * @throws JournalRegressed if entries are missing.
   */
  read(position: number, limit: number, signal: AbortSignal): Promise<readonly JournalEntry[]>;
  /** The entry at a position, without disturbing any reader; undefined if there is none, or none any more. */
  entry(position: number): Promise<JournalEntry | undefined>;
  /** The position of the first entry that was not trimmed, whether or not one is there: a hole trims nothing. */
  first(): Promise<number>;
  /** The last position that is durable; 0 when empty. */
  tail(): number;
  /** Trims entries up to and including `position`. */
  trim(position: number): Promise<void>;
  /** What does not work at the moment; absent if the journal is local. */
  troubles?(): readonly Trouble[];
  close(): Promise<void>;
}

/** One state change on its way out. */
export interface OutgoingChange {
  /** The change's number in the change log. */
  readonly n: number;
  /**
   * `<workspace>/<session>:<version>`, and `<log>/` before it in a log that was begun anew: the same change always carries
   * the same id.
   */
  readonly messageId: string;
  /** The name of a log that was begun anew: its versions count from 1 again. */
  readonly log?: string;
  readonly subject: string;
  /** What an outlet may tell beside the body, which says it, too: nobody need read that again. */
  readonly about: {
    readonly workspace: string;
    readonly sessionId: string;
    readonly entity: string;
    readonly to: string;
    readonly at?: number;
    readonly traceparent?: string;
  };
  readonly body: string;
}

/** One dead letter on its way out. */
export interface OutgoingLetter {
  /** Its number among the dead letters. */
  readonly n: number;
  /** `dead:<log>:<n>`: the same letter always carries the same id. */
  readonly messageId: string;
  readonly subject: string;
  /** Printable ASCII, one line each. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A notice sent once to current listeners; it is not stored. */
export interface Notice {
  readonly subject: string;
  readonly body: string;
}

/** Where state changes are published. */
export interface Outlet {
  /**
   * Resolves once the other side has taken the change.
   * @throws RefusedError if it will not be taken as things are: TOO_LARGE for one that is too long, which the caller
   *   then shortens; any other holds the session of the change. Any other error: the caller tries again.
   */
  publish(change: OutgoingChange): Promise<void>;
  /**
   * The highest version of a session that the other side has; 0 if none is known.
   * @param log the name of a log that was begun anew: versions of any other say nothing about it.
   */
  lastVersion(workspace: string, session: string, log?: string): Promise<number>;
  /**
   * Resolves once the other side has taken the letter; a repeated one is recognised by its id. An outlet without this
   * method leaves dead letters where they are. @throws as `publish` does.
   */
  publishLetter?(letter: OutgoingLetter): Promise<void>;
  /** Resolves once the notice is on its way to listeners. @throws if it is not; the caller tries again. */
  notify?(notice: Notice): Promise<void>;
  /** What does not work at the moment, beside what it throws. */
  troubles?(): readonly Trouble[];
  close(): Promise<void>;
}

/**
 * Large texts beside the store, each under the SHA-256 of its UTF-8 in hex. Any other name is refused
 * (InvariantViolation BAD_BLOB_NAME) before anything is touched.
 */
export interface Blobs {
  /**
   * Resolves once the text is durable. Put again, it is the same blob, and counts as new; a damaged one is repaired.
   * @throws RetryableError BLOB_NOT_KEPT when it could not be made durable.
   */
  put(hash: string, text: string): Promise<void>;
  /**
   * @returns undefined if there is none.
   * @throws InvariantViolation BLOB_DAMAGED if it cannot be read, or its content does not match its hash.
   */
  get(hash: string): Promise<string | undefined>;
  /** The hashes of blobs last put before a time, ms. */
  old(before: number): Promise<readonly string[]>;
  /** Removes a blob, unless it was put again at or after that time, ms. */
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

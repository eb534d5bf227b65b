// Ports
// The interfaces of what the engine needs from outside. All implementations of one pass the same contract suite (contracts/).
//
//   Owns:          the interfaces and their promises.
//   Does not own:  implementations of the ports (adapters/).
//
// PORTS-1. After any crash, `read` returns the entries that `append` acknowledged, unchanged and in the same order.
// PORTS-2. A commit that was acknowledged is on disk. Any other commit is there complete or not at all, and no reader sees it
//     before it is durable.
// PORTS-3. A store has one writer: once a second has opened it, every commit of the first fails.
// PORTS-4. After any crash, a stored blob is complete. A blob that was being stored is complete or absent.
// PORTS-5. `get` returns what was put under that hash, and throws if the content differs.

import type { Trouble } from "./errors/trouble.ts";

/** One write of a commit. Keys are printable ASCII, at most 1,000 bytes. Values are text, which no store interprets. */
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

/** Missing entries, by their former positions. */
export interface Missing {
  readonly first: number;
  readonly last: number;
}

/** The subject of an entry that somebody other than the engine published, as far as known. */
export interface Published {
  readonly workspace?: string;
  readonly type?: string;
}

export interface JournalEntry {
  /** The place of the entry in the journal: 1, 2, 3, without a hole. */
  readonly position: number;
  /** The journal keeper's clock, ms. It may go back (journal-time). */
  readonly at: number;
  /** The text of the entry, which a journal may read only when it is needed. */
  readonly body: string;
  /** Present for an entry that no door has checked. */
  readonly from?: Published;
  /** Identifies the entry in a journal that others can change. */
  readonly hash?: string;
  /** The space that the entry takes in the journal, if that is not the length of its body. */
  readonly bytes?: number;
  /** Present if this entry stands for missing entries, from this position to its own. Such an entry has no body. */
  readonly missingFrom?: number;
}

/** The place in a journal where a reader stopped. */
export interface Cursor {
  readonly incarnation: string;
  readonly position: number;
  /** The hash of the entry at the position, if it had one. */
  readonly hash?: string;
}

/** How entries are appended. */
export interface Appending {
  /** True for own messages, for which room is reserved. */
  readonly own?: boolean;
  /** Called if there is no room; trims what may be trimmed. @returns whether anything was trimmed. */
  readonly makeRoom?: () => Promise<boolean>;
}

/** The size of a journal, and its limit; `max` is Infinity if there is none. */
export interface Fill {
  readonly bytes: number;
  readonly max: number;
}

/** The end of a journal that several engines share. */
export interface JournalEnd {
  /** The position of the journal's last entry. */
  readonly tail: number;
  /** The position of the newest entry that begins a term; 0 if there is none. */
  readonly term: number;
}

/** An ordered, durable log of inputs. */
export interface Journal {
  /**
   * @param cursor where the reader stopped last time; undefined for a new store, which has read nothing.
   * @param past true to continue past entries that are missing now; an entry that stands for them is then read.
   *   Entries that go missing later are an error as usual.
   * @returns the cursor to read on from.
   * @throws JournalRegressed for another journal than the cursor's, or if entries after the cursor are missing.
   */
  open(cursor: Cursor | undefined, past?: boolean): Promise<Cursor>;
  /**
   * Appends in order. If there is no room, calls `makeRoom` and tries again.
   * @returns their positions, once all are durable.
   * @throws JournalFailed, JournalFull: then none of them is in the journal.
   */
  append(bodies: readonly string[], how?: Appending): Promise<readonly number[]>;
  fill(): Promise<Fill>;
  /**
   * Entries after `position`, in order, at most `limit`; waits until there is one, or returns [] once aborted.
   * A journal may return an entry before the entry is durable only if no commit of its reader can become durable without it.
   * @throws JournalRegressed if entries are missing.
   */
  read(position: number, limit: number, signal: AbortSignal): Promise<readonly JournalEntry[]>;
  /** The entry at a position, without disturbing any reader; undefined if there is none (any more). */
  entry(position: number): Promise<JournalEntry | undefined>;
  /** The position of the first entry that was not trimmed, even if that entry is missing. */
  first(): Promise<number>;
  /** The last position that is durable; 0 when empty. */
  tail(): number;
  /**
   * Asks whoever keeps the journal for its present end, which covers every entry that any engine was told is durable. Absent
   * if no other engine can reach the journal. @throws RetryableError if the end is not known at the moment.
   */
  end?(): Promise<JournalEnd>;
  /** Trims entries up to and including `position`. */
  trim(position: number): Promise<void>;
  /** What does not work at the moment; absent if the journal is local. */
  troubles?(): readonly Trouble[];
  close(): Promise<void>;
}

/** A state change to be published. */
export interface OutgoingChange {
  /** The change's number in the change log. */
  readonly n: number;
  /**
   * `<workspace>/<session>:<version>`, and `<log>/` before it in a log that was begun again. The same change always has the
   * same id.
   */
  readonly messageId: string;
  /** The name of a log that was begun again, whose versions count from 1 again. */
  readonly log?: string;
  readonly subject: string;
  /** Fields of the body that an outlet may use without parsing the body. */
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

/** A dead letter to be published. */
export interface OutgoingLetter {
  /** The letter's number among the dead letters. */
  readonly n: number;
  /** `dead:<log>:<n>`: the same letter always has the same id. */
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
   * @throws RefusedError for a change that will be refused again: after TOO_LARGE the caller shortens it, and any other code
   *   holds back its session. After any other error the caller tries again.
   */
  publish(change: OutgoingChange): Promise<void>;
  /**
   * The highest version of a session that the other side has; 0 if none is known.
   * @param log the name of a log that was begun again; versions of other logs do not count.
   */
  lastVersion(workspace: string, session: string, log?: string): Promise<number>;
  /**
   * Resolves once the other side has taken the letter; a repeated letter is recognised by its id. Without this method, dead
   * letters are not published. @throws as `publish` does.
   */
  publishLetter?(letter: OutgoingLetter): Promise<void>;
  /** Resolves once the notice was sent to listeners. @throws if it was not; the caller tries again. */
  notify?(notice: Notice): Promise<void>;
  /** What does not work at the moment, apart from thrown errors. */
  troubles?(): readonly Trouble[];
  close(): Promise<void>;
}

/**
 * Large texts beside the store, each under the SHA-256 of its UTF-8 in hex. Any other name is refused at once
 * (InvariantViolation BAD_BLOB_NAME).
 */
export interface Blobs {
  /**
   * Resolves once the text is durable. A blob that is put again counts as new; a damaged blob is repaired.
   * @throws RetryableError BLOB_NOT_KEPT if it could not be made durable.
   */
  put(hash: string, text: string): Promise<void>;
  /** @returns undefined if there is none. @throws InvariantViolation BLOB_DAMAGED if it is unreadable or has another hash. */
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

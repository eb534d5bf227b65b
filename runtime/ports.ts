// Ports
// The ports: interfaces of what the engine needs from outside. Every implementation of a port passes the port's contract suite
// (contracts/).
//
//   Owns:          the interfaces, and what each implementation must guarantee.
//   Does not own:  implementations of the ports (adapters/).
//
// PORTS-1. After any crash, `read` returns the entries that `append` acknowledged, unchanged and in the same order.
// PORTS-2. A commit that was acknowledged is on disk. A commit that was not acknowledged is on disk completely or not at all, and
//     no reader sees it before it is durable.
// PORTS-3. A store has one writer: once a second writer has opened the store, every commit of the first writer fails.
// PORTS-4. After any crash, a stored blob is complete. A blob that was being stored is complete or absent.
// PORTS-5. `get` returns the blob that was stored under the given hash, and throws if the stored content does not match the hash.

import type { Trouble } from "./errors/trouble.ts";

/** One write of a commit. Keys are printable ASCII, at most 1,000 bytes. Values are text, which no store interprets. */
export type Write = { readonly put: string; readonly value: string } | { readonly del: string };

export interface Range {
  readonly gte: string;
  readonly lt: string;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** A durable store of texts, each under a key, in the order of the keys. */
export interface Store {
  /**
   * Takes the store over from any earlier owner, and makes that durable before it returns.
   * @returns the new epoch: one more than the last.
   * @throws FatalError STORE_BUSY if a live process holds the store; RetryableError STORE_FULL if the epoch cannot be written.
   */
  open(): Promise<number>;
  /** @returns durable values only. */
  get(key: string): string | undefined;
  /** Yields rows in key order (bytewise), but only rows that are durable. */
  range(range: Range): Iterable<readonly [key: string, value: string]>;
  /**
   * Applies all writes in order, or none of them; resolves once they are on disk.
   * @throws FatalError STORE_FAILED on any failure: the caller must stop at once, without trying again.
   */
  commit(writes: readonly Write[]): Promise<void>;
  close(): Promise<void>;
}

/** A range of missing entries, by the positions that they had. */
export interface Missing {
  readonly first: number;
  readonly last: number;
}

/** What the NATS subject says about an entry that somebody other than the engine published. */
export interface Published {
  readonly workspace?: string;
  readonly type?: string;
}

export interface JournalEntry {
  /** The place of the entry in the journal: 1, 2, 3, … If entries get lost, all others keep their positions. */
  readonly position: number;
  /** When the entry was appended, by the clock of whoever keeps the journal, ms. This clock may go back (journal-time). */
  readonly at: number;
  /** The text of the entry. A journal may read it only when `body` is first used. */
  readonly body: string;
  /** Present for an entry that no door has checked. */
  readonly from?: Published;
  /** The hash of the entry; present in a journal that others can change. */
  readonly hash?: string;
  /** How many bytes the entry takes in the journal, if not as many as its body has. */
  readonly bytes?: number;
  /**
   * Present if this entry stands for missing entries: the position of the first of these; the last one is at the entry's own
   * position. Such an entry has no body.
   */
  readonly missingFrom?: number;
}

/** The place in a journal where a reader stopped. */
export interface Cursor {
  readonly incarnation: string;
  readonly position: number;
  /** The hash of the entry at the position, if the entry has one. */
  readonly hash?: string;
}

/** How entries are appended. */
export interface Appending {
  /** True if the entries are own messages of the engine, for which the journal reserves room. */
  readonly own?: boolean;
  /** Called if the journal has no room; trims the entries that may be trimmed. @returns whether anything was trimmed. */
  readonly makeRoom?: () => Promise<boolean>;
}

/** The size of a journal, and its limit; `max` is Infinity if the journal has no limit. */
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

/** An ordered, durable list of messages, each with a position and a time stamp. */
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
   * @returns the entries' positions, once all are durable. @throws RetryableError JOURNAL_FULL, or another error. After an
   * error, none of the entries is in the journal.
   */
  append(bodies: readonly string[], how?: Appending): Promise<readonly number[]>;
  fill(): Promise<Fill>;
  /**
   * Returns the entries after `position`, in order, at most `limit`. Waits until there is at least one, or returns [] once
   * aborted. A journal may return an entry before the entry is durable only if no commit of its reader can become durable before
   * the entry.
   * @throws JournalRegressed if entries are missing.
   */
  read(position: number, limit: number, signal: AbortSignal): Promise<readonly JournalEntry[]>;
  /**
   * Returns the entry at a position, without disturbing any reader; undefined if there is no such entry, or if it was trimmed.
   */
  entry(position: number): Promise<JournalEntry | undefined>;
  /** The position of the first entry that was not trimmed, even if that entry is missing. */
  first(): Promise<number>;
  /** The last position that is durable; 0 when empty. */
  tail(): number;
  /**
   * Asks whoever keeps the journal for its present end: no entry that any engine knows to be durable comes after it. Absent if
   * no other engine can reach the journal. @throws RetryableError if the end is not known at the moment.
   */
  end?(): Promise<JournalEnd>;
  /** Removes the entries up to and including `position`. */
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
   * The change's id: `<workspace>/<session>:<version>`, with `<log>/` before it in a log that was begun again. The same change
   * always has the same id.
   */
  readonly messageId: string;
  /** The name of the change log, if the log was begun again: versions then count from 1 again. */
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
  /** The number of the dead letter. */
  readonly n: number;
  /** The id of the dead letter, `dead:<log>:<n>`. The same dead letter always has the same id. */
  readonly messageId: string;
  readonly subject: string;
  /** The headers; each value is printable ASCII, in one line. */
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
   * Resolves once the receiver has taken the change.
   * @throws RefusedError for a change that the receiver would refuse again: after TOO_LARGE the caller shortens the change, and
   * after any other code it holds back the changes of the session. After any other error the caller tries again.
   */
  publish(change: OutgoingChange): Promise<void>;
  /**
   * The highest version of a session that the receiver has; 0 if none is known.
   * @param log the name of a log that was begun again; versions of other logs do not count.
   */
  lastVersion(workspace: string, session: string, log?: string): Promise<number>;
  /**
   * Resolves once the receiver has taken the letter; a repeated letter is recognised by its id. Without this method, dead letters
   * are not published. @throws as `publish` does.
   */
  publishLetter?(letter: OutgoingLetter): Promise<void>;
  /** Sends a notice; resolves once it was sent to listeners. @throws if the notice was not sent; the caller tries again. */
  notify?(notice: Notice): Promise<void>;
  /** Returns what does not work at the moment, apart from thrown errors. */
  troubles?(): readonly Trouble[];
  close(): Promise<void>;
}

/**
 * Stores large texts beside the store, each under the SHA-256 of its UTF-8 in hex. Any other name is refused immediately
 * (InvariantViolation BAD_BLOB_NAME).
 */
export interface Blobs {
  /**
   * Stores a text; resolves once the text is durable. A blob that is put again counts as new; a damaged blob is repaired.
   * @throws RetryableError BLOB_NOT_KEPT if it could not be made durable.
   */
  put(hash: string, text: string): Promise<void>;
  /**
   * Reads a blob.
   * @returns undefined if there is no such blob.
   * @throws InvariantViolation BLOB_DAMAGED if the blob is unreadable or has another hash.
   */
  get(hash: string): Promise<string | undefined>;
  /** Returns the hashes of the blobs that were last put before a time, ms. */
  old(before: number): Promise<readonly string[]>;
  /** Removes a blob, unless it was put at or after the time `before`, ms. */
  drop(hash: string, before: number): Promise<void>;
}

export interface Clock {
  /** Wall time, ms. */
  now(): number;
  /** Monotonic time, ms, from an arbitrary start. */
  monotonic(): number;
  /** Calls back once, after `delayMs`. @returns a function that cancels the call. */
  after(delayMs: number, callback: () => void): () => void;
}

export interface Ids {
  /** A UUID, version 7. */
  uuid(): string;
}

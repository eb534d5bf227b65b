// Feed
// Yields state changes after the last one that the subscriber has handled (its cursor), across restarts of client, engine and
// server.
//
//   Owns:          asking for the next changes, reporting what may be missing; the cursor and the version of each change.
//   Does not own:  when to ask (news), storing the cursor (the subscriber), whether a cursor is still valid (the engine).
//
// FEED-1. The feed asks for the next page only when the subscriber has taken the last one: it holds at most one page for a slow
//     subscriber.
// FEED-2. If changes may have been lost, the feed yields a gap (an item that says so, with the reason) before any later change;
//     no change is skipped silently.
// FEED-3. The cursor stands right after the last change that the subscriber has handled, and never further on. A change counts as
//     handled when the subscriber asks for the next item. A feed that is iterated again first yields the unhandled change again.
// FEED-4. The feed yields only what the engine answered, and checks each item. An item that is not a valid change is yielded as a
//     gap.
// FEED-5. A change whose version is not above the last version of its session counts as a repeat, and is dropped.
// FEED-6. A feed without a filter expects each version of a session. If some are missing, it yields a gap before the next change.

import { setTimeout as sleep } from "node:timers/promises";
import type { ChangePage } from "../../../runtime/reading/following.ts";
import { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";
import { type StateFilter, subjects } from "../../../runtime/rows/subjects.ts";
import { anyNews, settling, waitFor } from "../../../runtime/wait-for.ts";
import { requestReply } from "./request-reply.ts";
import { type Change, type ChangeItem, type ChangesOptions, type Gap, isChange } from "./changes.ts";
import type { Link } from "./link.ts";
import { News } from "./news.ts";

const PAUSE_MS = 100;
const PAUSE_MAX_MS = 2_000;

/** The engine's answer, before the changes in it are checked. */
type Answered = Omit<ChangePage, "items"> & { readonly items: readonly unknown[] };

export class Feed implements AsyncIterable<ChangeItem> {
  readonly #link: Link;
  readonly #filter: StateFilter;
  readonly #versions: Versions;
  readonly #signal: AbortSignal;
  readonly #over: AbortSignal;
  /** The place after which the next query reads: `now`, `start` or a cursor. */
  #place: string;

  constructor(link: Link, filter: StateFilter, options: ChangesOptions) {
    const { from = "now", versions = [], signal } = options;
    const { entity, id, state } = filter;
    this.#link = link;
    this.#filter = filter;
    this.#versions = new Versions(versions, (entity ?? id ?? state) === undefined);
    this.#signal = signal ?? new AbortController().signal;
    this.#over = AbortSignal.any([this.#signal, link.ended]);
    this.#place = from === "start" || from === "now" ? from : readCursor(from);
  }

  /**
   * The cursor after all items that the subscriber has handled (FEED-3); undefined before the first answer. The cursor also moves
   * past changes that the filter drops.
   */
  get cursor(): string | undefined {
    return this.#place === "start" || this.#place === "now" ? undefined : this.#place;
  }

  /**
   * Yields until the client is closed or the signal aborted. Waits while an error may pass.
   * @throws RefusedError FORBIDDEN, CLOSED
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<ChangeItem, void, undefined> {
    for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
      try {
        await this.#link.up(this.#signal);
        for await (const item of this.#read()) {
          pauseMs = PAUSE_MS;
          yield item;
        }
      } catch (error) {
        if (this.#link.failure) throw this.#link.failure;
        if (!this.#isOver && !(error instanceof RetryableError)) throw error;
      }
      if (this.#isOver) return;
      await sleep(pauseMs, undefined, { signal: this.#link.ended }).catch(() => undefined);
    }
  }

  get #isOver(): boolean {
    return this.#over.aborted;
  }

  async *#read(): AsyncGenerator<ChangeItem> {
    const news = new News(this.#link, subjects.stateFilter(this.#filter), this.#signal);
    try {
      await this.#unlessOver(news.ready());
      while (!this.#isOver) {
        news.asking();
        const page = await this.#unlessOver(pageAfter(this.#link, this.#filter, this.#place));
        if (!page) return;
        yield* this.#give(page);
        if (!page.more) await news.wait();
      }
    } finally {
      news.close();
    }
  }

  *#give({ items, from, next, gap, unreadable = 0 }: Answered): Generator<ChangeItem> {
    this.#place = from;
    // If the engine's change log was replaced, the versions remembered from the old log mean nothing any more.
    if (gap === "replaced") this.#versions.clear();
    if (gap) yield this.#gap(gap);
    if (unreadable > 0) yield this.#gap("unreadable");
    let last = -1;
    for (const item of items) {
      if (!isChange(item, this.#filter) || item.n <= last) {
        yield this.#gap("unreadable");
        continue;
      }
      last = item.n;
      yield* this.#take(item, cursorAt(next, item.n));
    }
    this.#place = next;
  }

  *#take(change: Change, cursor: string): Generator<ChangeItem> {
    const { workspace, sessionId, version } = change;
    const session = `${workspace}/${sessionId}`;
    const seen = this.#versions.compare(session, version);
    if (typeof seen === "object")
      yield this.#gap("versions", { workspace, sessionId, after: seen.after, before: version });
    // The feed's place moves on only when the caller asks for the next item, and so has handled this one: a caller that fails and
    // reads on, with the same feed or from its cursor, loses no item.
    if (seen !== "repeat") {
      yield { kind: "change", change, cursor };
      this.#versions.note(session, version);
    }
    this.#place = cursor;
  }

  #gap(reason: Gap["reason"], session: Partial<Gap> = {}): Gap {
    return { kind: "gap", reason, ...session, cursor: this.#place };
  }

  /** @returns the answer; undefined if the feed ends before the answer comes. */
  async #unlessOver<T>(asked: Promise<T>): Promise<T | undefined> {
    asked.catch(() => undefined);
    const ended = await waitFor(settling(asked), anyNews, undefined, this.#over);
    return ended === "met" ? asked : undefined;
  }
}

/** The current cursor. @throws RefusedError FORBIDDEN; RetryableError NOBODY_THERE, NOT_ACKNOWLEDGED while no engine runs. */
export async function placeNow(link: Link): Promise<string> {
  return (await pageAfter(link, { workspace: link.settings.workspace }, "now")).next;
}

async function pageAfter(link: Link, filter: StateFilter, place: string): Promise<Answered> {
  const { workspace, ...wish } = filter;
  const op = "change.list";
  const subject = workspace === undefined ? subjects.query(op) : subjects.ask(workspace, op);
  const query = place === "now" ? wish : { ...wish, after: place };
  const page = await requestReply(link, subject, query);
  if (!isPage(page)) throw noPage(subject);
  return page;
}

/** Checks a reply, which somebody else than the engine may have sent. Each change in it is checked when it is yielded. */
const isPage = (body: unknown): body is Answered =>
  typeof body === "object" &&
  body !== null &&
  Array.isArray((body as Partial<Answered>).items) &&
  [(body as Partial<Answered>).from, (body as Partial<Answered>).next].every(
    (place) => typeof place === "string",
  );

const noPage = (subject: string): RetryableError =>
  new RetryableError(
    "NOT_ACKNOWLEDGED",
    `The answer on ${subject} is not a page of changes.`,
    "Check that only the engine answers on this subject, and that the engine has the version of this client.",
    PAUSE_MAX_MS,
  );

const PLACE = /^[A-Za-z0-9_-]{1,200}-\d{1,15}$/;
/**
 * A cursor of an earlier client version, which named a place in the stream. A feed that begins at such a cursor yields a gap
 * and reads from the start.
 */
const OF_STREAM = /^\d{1,15}@[\d:.TZ-]{20,35}$/;
const NOWHERE = "stream-0";

function readCursor(text: string): string {
  if (PLACE.test(text)) return text;
  if (OF_STREAM.test(text)) return NOWHERE;
  throw new RefusedError(
    "BAD_CURSOR",
    `${JSON.stringify(text.slice(0, 60))} is no cursor of a change.`,
    'Give the cursor of the last change as it came, or "start", or "now".',
    "from",
  );
}

/** The cursor after a change. @param page any place in the same log. @param n the change's number in the log. */
const cursorAt = (page: string, n: number): string => `${page.slice(0, page.lastIndexOf("-"))}-${n}`;

/** For how many sessions the last version is remembered. In a session that was forgotten, missing changes are not noticed. */
const SESSIONS_MAX = 100_000;

class Versions {
  readonly #last: Map<string, number>;
  readonly #isDense: boolean;

  /** @param isDense false if the feed reads only some of a session's changes: a skipped version then means nothing. */
  constructor(known: Iterable<readonly [string, number]>, isDense: boolean) {
    this.#last = new Map(known);
    this.#isDense = isDense;
  }

  /** @returns `repeat`, `next`, or the version after which changes of the session are missing. */
  compare(session: string, version: number): "repeat" | "next" | { readonly after: number } {
    const last = this.#last.get(session);
    if (last !== undefined && version <= last) return "repeat";
    return this.#isDense && last !== undefined && version > last + 1 ? { after: last } : "next";
  }

  note(session: string, version: number): void {
    // A Map keeps the order of insertion: deleting and setting the session moves it to the end, so the first session of the Map
    // is the one that was noted longest ago.
    this.#last.delete(session);
    this.#last.set(session, version);
    if (this.#last.size > SESSIONS_MAX) this.#forgetOldest();
  }

  clear(): void {
    this.#last.clear();
  }

  #forgetOldest(): void {
    for (const session of this.#last.keys()) {
      this.#last.delete(session);
      return;
    }
  }
}

// Reader
// Reads state for queries from the store only, and never from a turn that is not committed.
//
//   Owns:          finding actors and their rows by address and by id.
//   Does not own:  lists (queries), the shape of views (views).
//
// READING-READER-1. A query reads only durable state. So after a crash everything that an answer showed is still true.

import {
  type Address,
  type AddressParts,
  batchBooks,
  type CallContext,
  HEAD_BOOK,
  parseAddress,
  type Records,
  sessionAddress,
} from "../../machines/index.ts";
import { tried } from "../../machines/json.ts";
import { glimpseBooks } from "../rows/actors/actor-rows.ts";
import { glimpse } from "../rows/actors/actors.ts";
import { decode } from "../rows/codec.ts";
import { hasDamage } from "../rows/actors/input-damage.ts";
import { after, keys } from "../rows/keys.ts";
import type { Store } from "../ports.ts";
import {
  alarmIn,
  alarmView,
  type AlarmView,
  approvalView,
  type ApprovalView,
  type BatchFacts,
  callView,
  type CallView,
  requestView,
  type RequestView,
  sessionView,
  type SessionView,
  type Shown,
} from "../rows/views.ts";

export interface Found extends Shown {
  readonly where: AddressParts;
}

export class Reader {
  readonly store: Store;
  readonly #onDamage: (key: string) => void;

  /** @param onDamage called with the key of a row whose input does not match its hash. */
  constructor(store: Store, onDamage: (key: string) => void = () => undefined) {
    this.store = store;
    this.#onDamage = onDamage;
  }

  /** @throws Error for a malformed address; InvariantViolation if the stored row is not an actor's. */
  actor(address: Address): Found | undefined {
    const where = parseAddress(address);
    const key = keys.actor(address);
    const text = this.store.get(key);
    if (text === undefined) return undefined;
    const stored = glimpse(where.kind, address, text);
    if (hasDamage(where.kind, stored.context)) this.#onDamage(key);
    return { ...stored, where };
  }

  /** The parsed value of a row that is not the row of an actor. */
  row(key: string): unknown {
    const text = this.store.get(key);
    return text === undefined ? undefined : decode(key, text);
  }

  /** The books of a session, whether they are in their own rows or in the session's row. */
  books(session: Address): Pick<Records, "get"> {
    return {
      get: (book, id) => {
        if (book === HEAD_BOOK) return glimpseBooks(session, this.store.get(keys.actor(session))).book;
        const name = `${book}/${id}`;
        return this.row(keys.books(session) + name) ?? this.#recent(session, name);
      },
    };
  }

  #recent(session: Address, name: string): unknown {
    // Damage is not reported here, but where the session itself is read. Books in rows of their own are still shown.
    return tried(
      () =>
        glimpseBooks(session, this.store.get(keys.actor(session))).recent?.find(
          ([each]) => each === name,
        )?.[1],
    );
  }

  /** What follows `prefix` in the keys that begin with it, of at most `limit` keys. */
  names(prefix: string, limit = Infinity): readonly string[] {
    return this.#under(prefix, limit).map(([key]) => key.slice(prefix.length));
  }

  /** The rows whose keys begin with `prefix`, at most `limit`. None of them may be an actor's row: `actor` reads those. */
  rows(prefix: string, limit: number): readonly unknown[] {
    return this.#under(prefix, limit).map(([key, text]) => decode(key, text));
  }

  #under(prefix: string, limit: number): readonly (readonly [key: string, text: string])[] {
    const bounds = { gte: prefix, lt: after(prefix) };
    return [...this.store.range(limit === Infinity ? bounds : { ...bounds, limit })];
  }

  session({ value, context }: Shown): SessionView {
    return sessionView({ value, context });
  }

  request({ where, ...found }: Found, whole = false): RequestView {
    return requestView(where.workspace, where.session, found, whole);
  }

  call({ where, ...found }: Found, whole = false): CallView {
    return callView(where.session, found, this.#batchOf(where, found), whole);
  }

  approval({ where, ...found }: Found, whole = false): ApprovalView {
    return approvalView(where.workspace, where.session, found, whole);
  }

  /**
   * The alarm of a call that ran although it should not have run (machines/evidence/alarm); undefined if the call raises none.
   */
  alarm({ where, ...found }: Found): AlarmView | undefined {
    return alarmIn(found) && alarmView(where.workspace, where.session, found);
  }

  #batchOf({ workspace, session }: AddressParts, found: Shown): BatchFacts | undefined {
    const books = this.books(sessionAddress(workspace, session));
    return batchBooks.get(books, (found.context as CallContext).batchId);
  }
}

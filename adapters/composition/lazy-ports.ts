// Lazy ports
// A journal and an outlet that connect only when the engine starts, because HTTP listens before that.
//
//   Owns:          standing in for both until then.
//   Does not own:  making the connection (compose.ts).

import { RetryableError } from "../../runtime/errors/errors.ts";
import type {
  Appending,
  Cursor,
  Fill,
  Journal,
  JournalEnd,
  JournalEntry,
  Notice,
  OutgoingChange,
  OutgoingLetter,
  Outlet,
} from "../../runtime/ports.ts";
import type { Trouble } from "../../runtime/errors/trouble.ts";

const notConnected = (): RetryableError =>
  new RetryableError("NOT_CONNECTED", "There is no connection to NATS yet.", "Send again shortly.", 1000);

export class LazyJournal implements Journal {
  #journal: Journal | undefined;

  arrive(journal: Journal): void {
    this.#journal = journal;
  }

  async open(cursor: Cursor | undefined, past?: boolean): Promise<Cursor> {
    return this.#there().open(cursor, past);
  }

  async append(bodies: readonly string[], how?: Appending): Promise<readonly number[]> {
    return this.#there().append(bodies, how);
  }

  async fill(): Promise<Fill> {
    return this.#there().fill();
  }

  async read(position: number, limit: number, signal: AbortSignal): Promise<readonly JournalEntry[]> {
    return this.#there().read(position, limit, signal);
  }

  async entry(position: number): Promise<JournalEntry | undefined> {
    return this.#there().entry(position);
  }

  async first(): Promise<number> {
    return this.#there().first();
  }

  tail(): number {
    return this.#journal?.tail() ?? 0;
  }

  async end(): Promise<JournalEnd> {
    return (await this.#there().end?.()) ?? { tail: this.tail(), term: 0 };
  }

  async trim(position: number): Promise<void> {
    return this.#there().trim(position);
  }

  troubles(): readonly Trouble[] {
    return this.#journal?.troubles?.() ?? [];
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }

  #there(): Journal {
    if (!this.#journal) throw notConnected();
    return this.#journal;
  }
}

export class LazyOutlet implements Outlet {
  #outlet: Outlet | undefined;

  arrive(outlet: Outlet): void {
    this.#outlet = outlet;
  }

  async publish(change: OutgoingChange): Promise<void> {
    return this.#there().publish(change);
  }

  async lastVersion(workspace: string, session: string, log?: string): Promise<number> {
    return this.#there().lastVersion(workspace, session, log);
  }

  async publishLetter(letter: OutgoingLetter): Promise<void> {
    await this.#there().publishLetter?.(letter);
  }

  async notify(notice: Notice): Promise<void> {
    await this.#there().notify?.(notice);
  }

  troubles(): readonly Trouble[] {
    return this.#outlet?.troubles?.() ?? [];
  }

  async close(): Promise<void> {
    await this.#outlet?.close();
  }

  #there(): Outlet {
    if (!this.#outlet) throw notConnected();
    return this.#outlet;
  }
}

// Lazy ports
// A journal and an outlet that exist before the connection to NATS, because HTTP begins to listen before the engine connects.
//
//   Owns:          standing in for journal and outlet until the connection is made: until then, their methods throw.
//   Does not own:  making the connection (compose.ts).

import { RetryableError } from "../../runtime/errors/errors.ts";
import type { Journal, JournalEnd, Outlet } from "../../runtime/ports.ts";
import type { Trouble } from "../../runtime/errors/trouble.ts";

const notConnected = (): RetryableError =>
  new RetryableError("NOT_CONNECTED", "There is no connection to NATS yet.", "Send again shortly.", 1000);

export class LazyJournal implements Journal {
  #journal: Journal | undefined;

  readonly open: Journal["open"] = async (...given) => this.#there().open(...given);
  readonly append: Journal["append"] = async (...given) => this.#there().append(...given);
  readonly fill: Journal["fill"] = async () => this.#there().fill();
  readonly read: Journal["read"] = async (...given) => this.#there().read(...given);
  readonly entry: Journal["entry"] = async (position) => this.#there().entry(position);
  readonly first: Journal["first"] = async () => this.#there().first();
  readonly trim: Journal["trim"] = async (position) => this.#there().trim(position);

  arrive(journal: Journal): void {
    this.#journal = journal;
  }

  tail(): number {
    return this.#journal?.tail() ?? 0;
  }

  async end(): Promise<JournalEnd> {
    return (await this.#there().end?.()) ?? { tail: this.tail(), term: 0 };
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

  readonly publish: Outlet["publish"] = async (change) => this.#there().publish(change);
  readonly lastVersion: Outlet["lastVersion"] = async (...given) => this.#there().lastVersion(...given);
  readonly publishLetter: Required<Outlet>["publishLetter"] = async (letter) =>
    this.#there().publishLetter?.(letter);
  readonly notify: Required<Outlet>["notify"] = async (notice) => this.#there().notify?.(notice);

  arrive(outlet: Outlet): void {
    this.#outlet = outlet;
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

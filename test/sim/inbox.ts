// Inbox
// The engine that shows all others: it hears their changes, and asks all of them for each list.
//
//   Owns:          the work of its main thread, when a list is whole or shown without a part.
//   Does not own:  the work of the others (worker), how a list is merged in truth (runtime/peers).
//
// Where there is one part only, its owner has the inbox, and no peers.

import type { Chance } from "../chaos/chance.ts";
import type { Agenda } from "./agenda.ts";
import type { Given } from "./figures.ts";
import { Worker } from "./worker.ts";

interface Within {
  readonly agenda: Agenda;
  readonly owners: readonly Worker[];
  readonly given: Given;
  readonly chance: Chance;
}

export class Inbox {
  readonly #in: Within;
  readonly #self: Worker;
  readonly #peers: readonly Worker[];
  readonly #times: number[] = [];
  #partial = 0;

  constructor(within: Within) {
    this.#in = within;
    const [only, ...others] = within.owners;
    const isAlone = others.length === 0;
    this.#self = (isAlone ? only : undefined) ?? new Worker();
    this.#peers = isAlone ? [] : within.owners;
  }

  /** Lists are read from now on. */
  begin(end: number): void {
    const { lists } = this.#in.given;
    for (let n = 1; n < (end * lists) / 1_000; n += 1)
      this.#in.agenda.enter((n * 1_000) / lists, (at) => this.#list(at));
  }

  /** A peer's changes have come. */
  tell(at: number, changes: number): void {
    if (this.#peers.length === 0) return;
    this.#in.agenda.enter(at, () => void this.#self.give(at, (changes * this.#in.given.news) / 1_000));
  }

  #list(at: number): void {
    const { agenda, given, chance } = this.#in;
    const [page, merged] = [given.page / 1_000, given.merged / 1_000];
    const until = at + given.list;
    let missing = this.#peers.length;
    let whole = this.#self.give(at, page);
    for (const peer of this.#peers) {
      const there = at + ((given.line + given.fresh) / 1_000) * (1 + chance.next());
      agenda.enter(there, () => {
        const answered = peer.give(there, page) + given.line / 1_000;
        // What comes late is not read: the request was given up.
        if (answered >= until) return;
        agenda.enter(answered, () => {
          if (this.#self.free >= until) return;
          const done = this.#self.give(answered, merged);
          if (done > until) return;
          missing -= 1;
          whole = Math.max(whole, done);
        });
      });
    }
    agenda.enter(until, () => {
      // The timer fires once the main thread is free.
      const shown = missing === 0 ? whole : Math.max(until, this.#self.free);
      this.#times.push(shown - at);
      this.#partial += missing === 0 ? 0 : 1;
    });
  }

  /** What was seen of it until `end`. */
  seen(end: number) {
    return {
      inbox: this.#self.busy / end,
      behind: Math.max(0, this.#self.free - end),
      lists: { times: this.#times, partial: this.#partial, shown: this.#times.length },
    };
  }
}

// Fresh
// Lets a read begin once this engine's store has everything that any engine on the journal acknowledged before.
//
//   Owns:          when this engine asks for the position of the journal's last entry, once for many reads; how long a read
//                  waits.
//   Does not own:  finding the journal's last entry (ports), the roles of engines (role).
//   Decided in:    docs/decisions/0099-no-read-is-old.md.
//
// CLUSTER-FRESH-1. When a spare answers a read, its store has every entry that was in the journal when the read came, and no
//     entry that the present owner, or a later one, might lack.
// CLUSTER-FRESH-2. An owner answers a read only if no later term had begun when the read came. Its store then has everything
//     that was acknowledged, because a spare acknowledges only what is durable at the owner.
// CLUSTER-FRESH-3. A read that cannot begin within 2 s is refused, and never answered from an older state.
// CLUSTER-FRESH-4. Reads share requests for the journal's last entry: one answer serves all reads that came before the request
//     was sent, and no later read. Only one such request is under way at a time, however many reads come.
// CLUSTER-FRESH-5. If no other engine can read or own the journal, reads do not wait, and the engine never asks for the
//     journal's last entry.

import { RetryableError } from "../errors/errors.ts";
import type { Clock, JournalEnd } from "../ports.ts";
import type { Role } from "./role.ts";
import { anyNews, settling, waitFor } from "../wait-for.ts";

interface Reads {
  readonly clock: Pick<Clock, "after">;
  readonly mandate: {
    readonly isShared: boolean;
    readonly role: Role;
    tells(position: number): boolean;
  };
  readonly journal: { end(): Promise<JournalEnd> };
  /** Returns the store's meta row as the last commit left it, with the last entry that this engine has applied. */
  readonly meta: () => { readonly position: number };
  /** `at` resolves once the entry at the position is durable in this engine. */
  readonly waiting: { at(position: number): Promise<unknown> };
}

const WAIT_MS = 2_000;

export class Fresh {
  readonly #with: Reads;
  #asked: Promise<JournalEnd> | undefined;
  #next: Promise<JournalEnd> | undefined;

  constructor(reads: Reads) {
    this.#with = reads;
  }

  /**
   * Waits until a read of this engine's store returns everything that was acknowledged so far. Callers must await this before
   * each read.
   * @throws RetryableError BEHIND, or why the journal's end is not known.
   */
  async confirm(): Promise<void> {
    const { mandate, clock } = this.#with;
    if (!mandate.isShared) return;
    const reached = this.#reach();
    const ended = await waitFor(settling(reached), anyNews, { clock, ms: WAIT_MS });
    if (ended === "late") throw behind();
    await reached;
  }

  async #reach(): Promise<void> {
    const { mandate, meta, waiting } = this.#with;
    const { tail, term } = await this.#end();
    const position = mandate.role === "owner" ? term : tail;
    if (position > meta().position) await waiting.at(position);
    if (!mandate.tells(meta().position)) throw behind();
  }

  #end(): Promise<JournalEnd> {
    const asked = this.#asked;
    if (!asked) return this.#ask();
    const again = (): Promise<JournalEnd> => {
      this.#next = undefined;
      return this.#ask();
    };
    return (this.#next ??= asked.then(again, again));
  }

  #ask(): Promise<JournalEnd> {
    const asked = this.#with.journal.end();
    const ended = (): void => {
      if (this.#asked === asked) this.#asked = undefined;
    };
    this.#asked = asked;
    asked.then(ended, ended);
    return asked;
  }
}

const behind = (): RetryableError =>
  new RetryableError(
    "BEHIND",
    "This engine has not applied all journal entries yet, so its answer could be out of date.",
    "Ask again shortly, or ask another engine on this journal.",
    1_000,
  );

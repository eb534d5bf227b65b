// Spare
// Stands by beside an owner: asks whether it is there, and takes over where nobody answers.
//
//   Owns:          how often is asked, how long a silence may last.
//   Does not own:  the question's way (adapters), what an owner does (engine/mandate), which terms count (term).
//   Decided in:    docs/decisions/0092-a-spare-takes-over-by-a-term.md.
//
// CLUSTER-SPARE-1. It takes over after 3 s in which it asked and no owner answered, by its own monotonic clock, or at once where
//     an owner says that it leaves. No two clocks are compared.
// CLUSTER-SPARE-2. Each answer counts when it comes, never again: a silence is measured from the last one.
// CLUSTER-SPARE-3. While it has no connection it hears nobody, and that says nothing: the silence begins anew behind it.
// CLUSTER-SPARE-4. Where another engine's term came first, or its own was not taken, it stands by again.

import type { Clock } from "../ports.ts";
import type { OwnerSaid } from "./standing.ts";

/** The way to the owner of the journal. */
export interface OwnerLine {
  /** @returns what the owner says; "nobody" where none answers in time, "cut" while there is no connection. */
  ask(): Promise<OwnerSaid | "nobody" | "cut">;
  /** Calls back each time an owner says that it leaves. @returns a function that ends it. */
  onLeaving(callback: () => void): () => void;
}

interface Led {
  readonly mandate: { heard(owner: OwnerSaid): void };
  /** Takes the next term. @returns false where another engine took it. @throws as an append does. */
  lead(): Promise<boolean>;
}

interface Surroundings {
  readonly line: OwnerLine;
  readonly clock: Pick<Clock, "monotonic" | "after">;
  /** Called once it is the owner. */
  readonly onLead: () => Promise<void> | void;
  readonly onError: (error: unknown) => void;
}

const ASK_MS = 500;
/** Longer than an owner's process takes to come back by itself on a quiet machine is not waited for. */
const SILENCE_MS = 3_000;

export class Spare {
  readonly #engine: Led;
  readonly #with: Surroundings;
  #heardAt: number;
  #cancel: (() => void) | undefined;
  #unlisten: (() => void) | undefined;
  #isStopped = false;

  /** @param engine that has caught up. */
  constructor(engine: Led, surroundings: Surroundings) {
    this.#engine = engine;
    this.#with = surroundings;
    this.#heardAt = surroundings.clock.monotonic();
  }

  start(): void {
    this.#heardAt = this.#with.clock.monotonic();
    this.#unlisten = this.#with.line.onLeaving(() => {
      this.#heardAt = -Infinity;
    });
    void this.#ask();
  }

  stop(): void {
    this.#isStopped = true;
    this.#unlisten?.();
    this.#cancel?.();
  }

  async #ask(): Promise<void> {
    const { line, clock } = this.#with;
    const said = await line.ask();
    if (this.#isStopped) return;
    if (typeof said === "object") this.#engine.mandate.heard(said);
    if (said !== "nobody") this.#heardAt = clock.monotonic();
    else if (clock.monotonic() - this.#heardAt >= SILENCE_MS && (await this.#lead())) return;
    this.#cancel = clock.after(ASK_MS, () => void this.#ask());
  }

  /** @returns true once it is the owner. */
  async #lead(): Promise<boolean> {
    const { clock, onLead, onError } = this.#with;
    const isLeading = await this.#engine.lead().catch((error: unknown) => {
      onError(error);
      return false;
    });
    // CLUSTER-SPARE-4. Whoever was first has time to say that it is there.
    this.#heardAt = clock.monotonic();
    if (!isLeading || this.#isStopped) return isLeading;
    this.stop();
    await Promise.resolve(onLead()).catch(onError);
    return true;
  }
}

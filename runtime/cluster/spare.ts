// Spare
// A spare stands by for the owner: it asks whether the owner is running, and takes over if nobody answers.
//
//   Owns:          how often the spare asks the owner, how long the owner may be silent.
//   Does not own:  the way to the owner (adapters), what an owner does (engine/mandate), which terms count (term).
//   Decided in:    docs/decisions/0092-a-spare-takes-over-by-a-term.md.
//
// CLUSTER-SPARE-1. The spare takes over once it has asked for 3 s, by its own monotonic clock, and no owner has answered. The
//     clocks of two machines are never compared. If the owner reports that it leaves, the spare takes over immediately. If the
//     owner has ended its term so that all engines can change to another build, CLUSTER-SEAM-5 says how long the spare waits.
// CLUSTER-SPARE-2. The spare measures an owner's silence from the moment at which the last answer came. An answer that was on its
//     way when the owner left does not count.
// CLUSTER-SPARE-3. Time without a connection does not count as silence of the owner: once the spare is connected again, the 3 s
//     begin anew.
// CLUSTER-SPARE-4. If another engine's term came first, or the journal did not accept the spare's own term, the spare stands by
//     again.
// CLUSTER-SPARE-5. Each time that the spare asks the owner, it also compares a further part of its history with the owner's,
//     until everything durable is compared. If the histories differ, the spare tells the owner once, and asks nothing more.
// CLUSTER-SPARE-6. While an owner answers, the spare applies only entries that are durable at the owner (CLUSTER-HOLD-1). While
//     an entry waits to be durable at the owner, the spare asks again within 50 ms. Once the owner is gone, the spare first
//     applies the rest of the journal, and then takes over.
// CLUSTER-SPARE-7. If a new owner cannot begin its work, it ends its process, because a process that went on would never become
//     ready. The process is then started anew.

import type { Clock } from "../ports.ts";
import type { Hold } from "./hold.ts";
import { SILENCE_MS } from "./seam.ts";
import type { Asked, Compared, Difference, OwnerHeard, Stretch } from "./standing.ts";

/** The connection through which a spare asks the owner of its journal. */
export interface OwnerLine {
  /** Asks the owner. @returns the owner's answer; "nobody" if no owner answers in time, "cut" while there is no connection. */
  ask(asked: Omit<Asked, "node">): Promise<OwnerHeard | "nobody" | "cut">;
  /** Calls back each time an owner announces that it stops. @returns a function that ends these calls. */
  onLeaving(callback: () => void): () => void;
}

interface Led {
  readonly mandate: {
    heard(owner: OwnerHeard): Compared;
    /** Stops the engine for good. */
    differ(difference: Difference): void;
    /** How long an owner may be silent, ms. */
    readonly patienceMs: number;
    readonly agreement: { wanted(): readonly Stretch[]; readonly held: number };
  };
  /** True once the engine has caught up. */
  readonly isReady: boolean;
  /** Begins the next term. @returns false if another engine began that term first. @throws as an append does. */
  lead(): Promise<boolean>;
}

interface Surroundings {
  readonly line: OwnerLine;
  readonly hold: Pick<Hold, "allow" | "onEarly">;
  readonly clock: Pick<Clock, "monotonic" | "after">;
  /** Called once the engine is the owner. */
  readonly onLead: () => Promise<void> | void;
  readonly onError: (error: unknown) => void;
  /** Called if `onLead` fails (CLUSTER-SPARE-7). */
  readonly onFatal: (error: unknown) => void;
}

/**
 * The pause before the spare asks the owner again, ms, by the result of the last comparison (`Compared`). The pauses are so
 * short that a difference is found within a second.
 */
const PAUSE_MS = { even: 500, more: 50, doubt: 5 } as const;

export class Spare {
  readonly #engine: Led;
  readonly #with: Surroundings;
  #heardAt: number;
  #cancel: (() => void) | undefined;
  #askedAt = -Infinity;
  #unlisten: (() => void) | undefined;
  #isStopped = false;
  /** How many announcements of owners that stop have come. */
  #left = 0;

  constructor(engine: Led, surroundings: Surroundings) {
    this.#engine = engine;
    this.#with = surroundings;
    this.#heardAt = surroundings.clock.monotonic();
  }

  start(): void {
    this.#heardAt = this.#with.clock.monotonic();
    this.#unlisten = this.#with.line.onLeaving(() => {
      // When the owner leaves, the spare treats it as already silent for SILENCE_MS. After the end of a term the spare may have
      // to wait longer (CLUSTER-SEAM-5).
      this.#heardAt = this.#with.clock.monotonic() - SILENCE_MS;
      this.#left += 1;
    });
    this.#with.hold.onEarly(() => this.#askSoon());
    void this.#ask();
  }

  stop(): void {
    this.#isStopped = true;
    this.#unlisten?.();
    this.#cancel?.();
  }

  async #ask(): Promise<void> {
    const { line, clock } = this.#with;
    const { mandate } = this.#engine;
    const left = this.#left;
    this.#cancel = undefined;
    this.#askedAt = clock.monotonic();
    const said = await line.ask(this.#asked());
    if (this.#isStopped) return;
    const compared = typeof said === "object" ? mandate.heard(said) : "even";
    if (typeof compared === "object") return this.#differ(compared);
    if (said !== "nobody" && left === this.#left) this.#heardAt = clock.monotonic();
    else if (clock.monotonic() - this.#heardAt >= mandate.patienceMs && (await this.#lead())) return;
    this.#cancel = clock.after(PAUSE_MS[compared], () => void this.#ask());
  }

  #asked(): Omit<Asked, "node"> {
    const { mandate, isReady } = this.#engine;
    if (!isReady) return { compare: [] };
    return { compare: mandate.agreement.wanted(), holds: mandate.agreement.held };
  }

  /** Asks the owner again now, unless the spare waits for an answer or asked a moment ago. */
  #askSoon(): void {
    if (!this.#cancel) return;
    this.#cancel();
    const { clock } = this.#with;
    const sinceMs = clock.monotonic() - this.#askedAt;
    this.#cancel = clock.after(Math.max(0, PAUSE_MS.more - sinceMs), () => void this.#ask());
  }

  /**
   * CLUSTER-SPARE-5. Reports to the owner that the histories differ, and only then stops this engine, because stopping ends the
   * process.
   */
  async #differ(differs: Difference): Promise<void> {
    this.stop();
    await this.#with.line.ask({ compare: [], differs });
    this.#engine.mandate.differ(differs);
  }

  /** Makes this engine the owner. @returns true once it is the owner. */
  async #lead(): Promise<boolean> {
    const { clock, hold, onLead, onError, onFatal } = this.#with;
    hold.allow(Infinity);
    if (!this.#engine.isReady) return false;
    const isLeading = await this.#engine.lead().catch((error: unknown) => {
      onError(error);
      return false;
    });
    // CLUSTER-SPARE-4. If this spare did not become the owner, perhaps another engine did. So the spare measures the silence
    // anew, to give that engine time to answer.
    this.#heardAt = clock.monotonic();
    if (!isLeading || this.#isStopped) return isLeading;
    this.stop();
    await Promise.resolve(onLead()).catch(onFatal);
    return true;
  }
}

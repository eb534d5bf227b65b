// Standing
// The types of an engine's reports about itself, to people and to the other engines on its journal.
//
//   Owns:          the types of an engine's reports about itself.
//   Does not own:  making an engine's report about itself (engine/mandate), sending reports from engine to engine (adapters).

import type { Hold } from "./hold.ts";
import type { Role } from "./role.ts";

/** The settings of an engine that shares its journal with others. */
export interface Cluster {
  /** True if this engine must stand by until the owner of the journal is gone. */
  readonly follows: boolean;
  /** Present for an engine that stands by: keeps this engine from applying more than the owner has applied. */
  readonly hold?: Hold;
  /**
   * A random id, made anew at each start of the process. A term names it, so that only this start owns the term
   * (CLUSTER-TERM-1).
   */
  readonly start: string;
  /** Returns the engine's address. Called only after HTTP listens. */
  readonly node: () => string;
}

/** `changes`: rows of the change log, by number. `quiet`: proofs of entries that changed nothing, by position. */
export type History = "changes" | "quiet";

/** A part of a history: the numbers greater than `after`, up to and including `upTo`. */
export interface Stretch {
  readonly of: History;
  readonly after: number;
  readonly upTo: number;
  /** The stretch includes only rows that come from the entry at this position, or from later entries. */
  readonly since: number;
}

export interface Digest extends Stretch {
  /** The build that applied the entries of the stretch. */
  readonly build: string;
  /** The digest: 32 hexadecimal digits; or a word if the stretch is a single number without a readable row. */
  readonly digest: string;
}

/**
 * The first number at which this store's history differs from the owner's, and the position of that number's entry in this store,
 * or of the next entry if the number has no row.
 */
export interface Difference {
  readonly of: History;
  readonly n: number;
  readonly position: number;
}

/**
 * `even`: everything agrees. `more`: the owner has more to compare. `doubt`: two digests differ, so the spare asks about a part
 * of their stretch next.
 */
export type Compared = "even" | "more" | "doubt" | Difference;

/** What a spare asks the owner. */
export interface Asked {
  /** The spare's address. */
  readonly node: string;
  /** The stretches to compare; at most one of each history. */
  readonly compare: readonly Stretch[];
  /** The last entry that is durable in the spare's store, and up to which its history was compared with the owner's. */
  readonly holds?: number;
  /** Present if the spare's history differs from the owner's: the spare stops, and the owner informs its operator. */
  readonly differs?: Difference;
}

/** An owner's answer to a spare. */
export interface OwnerSaid {
  /** The owner's address. */
  readonly node: string;
  readonly term: number;
  /** The last entry that is durable in the owner's store. */
  readonly applied: number;
  /** The positions of the newest entries that the owner set aside as poison. */
  readonly poison?: readonly number[];
  /** The name of the owner's change log. */
  readonly log: string;
  /** How many changes the outlet has taken. */
  readonly published: number;
  /** How many dead letters the outlet has taken. */
  readonly posted: number;
  /** The digests of the stretches that the spare asked for. */
  readonly compared?: readonly Digest[];
}

/** An owner's answer, as a spare hears it. */
export interface OwnerHeard extends OwnerSaid {
  /** True if the sender of the answer has the journal's key. */
  readonly isProven: boolean;
}

/** The answer to a request for a hand-over. */
export interface HandedOver {
  /** The addresses of the spares, one of which takes over. */
  readonly to: readonly string[];
  /** What this engine does after the hand-over: it starts again and stands by, or it ends. */
  readonly next: "stands by" | "ends";
}

/** What the engine tells people and probes of its role. */
export interface Standing {
  readonly role: Role;
  readonly term: number;
  /** The owner's address, if it is known and the owner is another engine. */
  readonly owner?: string;
  /** How many entries of the journal this engine has not applied yet. */
  readonly lag: number;
  /** How many messages changed nothing, because the term that they named was not the current one. */
  readonly stale: number;
  /** How many spares stand by; only an owner has this number. */
  readonly spares?: number;
  /** How many changes the spare has not compared with the owner's yet; only a spare has this number. */
  readonly uncompared?: number;
}

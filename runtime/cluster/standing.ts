// Standing
// The types of what an engine tells other engines on its journal, and people, about itself.
//
//   Owns:          the types.
//   Does not own:  making the values (engine/mandate), sending them from engine to engine (adapters).

import type { Hold } from "./hold.ts";
import type { Role } from "./role.ts";

/** The settings of an engine that shares its journal with others. */
export interface Cluster {
  /** True to stand by until the owner of the journal is gone. */
  readonly follows: boolean;
  /** Present for an engine that stands by: it holds the engine behind the owner. */
  readonly hold?: Hold;
  /** A random id of this start of the process. */
  readonly start: string;
  /** Returns the engine's address; called once HTTP listens. */
  readonly node: () => string;
}

/** `changes`: rows of the change log, by number. `quiet`: proofs of entries that changed nothing, by position. */
export type History = "changes" | "quiet";

/** The numbers greater than `after`, up to and including `upTo`. */
export interface Stretch {
  readonly of: History;
  readonly after: number;
  readonly upTo: number;
  /** Only rows that come from entries from this position on. */
  readonly since: number;
}

export interface Digest extends Stretch {
  /** The build that applied these entries. */
  readonly build: string;
  /** 32 hexadecimal digits; or a word, for a stretch of one number whose row cannot be read. */
  readonly digest: string;
}

/** The first number at which the two histories differ, and the position of its entry here, or of the next entry. */
export interface Difference {
  readonly of: History;
  readonly n: number;
  readonly position: number;
}

/** `more`: the owner has more to compare. `doubt`: two digests differ, so the spare asks about a part of their stretch next. */
export type Compared = "even" | "more" | "doubt" | Difference;

/** What a spare asks the owner. */
export interface Asked {
  /** The spare's address. */
  readonly node: string;
  /** The stretches of history to compare; at most one of each. */
  readonly compare: readonly Stretch[];
  /** The last entry that is durable in the spare's store, and up to which its history was compared with the owner's. */
  readonly holds?: number;
  /** Present if the histories differ: the spare stops, and the owner tells its operator. */
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
  /** The name of the owner's log, and how many changes and dead letters the outlet has taken. */
  readonly log: string;
  readonly published: number;
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
  /** What becomes of this engine: it comes back and stands by, or it ends. */
  readonly next: "stands by" | "ends";
}

/** What the engine tells people and probes of its role. */
export interface Standing {
  readonly role: Role;
  readonly term: number;
  /** The owner's address, if it is known and the owner is another engine. */
  readonly owner?: string;
  /** How many entries are not applied here yet. */
  readonly lag: number;
  /** How many messages came under an earlier term, and so changed nothing. */
  readonly stale: number;
  /** How many spares stand by; only an owner has this number. */
  readonly spares?: number;
  /** How many changes the spare has not compared with the owner's yet; only a spare has this number. */
  readonly uncompared?: number;
}

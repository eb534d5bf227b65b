// Standing
// What engines on one journal tell of themselves, to one another and to people.
//
//   Owns:          the shapes.
//   Does not own:  making them (engine/mandate), the way between engines (adapters).

import type { Role } from "./role.ts";

/** What an engine on a shared journal is told of itself. */
export interface Cluster {
  /** True to stand by until its owner is gone. */
  readonly follows: boolean;
  /** Random, of this start of the process. */
  readonly start: string;
  /** Where it is reached, asked for once HTTP listens. */
  readonly node: () => string;
}

/** `changes`: rows of the change log, by number. `quiet`: proofs of entries that changed nothing, by position. */
export type History = "changes" | "quiet";

/** The numbers greater than `after`, up to and including `upTo`. */
export interface Stretch {
  readonly of: History;
  readonly after: number;
  readonly upTo: number;
  /** Of these only what entries from this position on led to. */
  readonly since: number;
}

export interface Digest extends Stretch {
  /** The build that applied these entries. */
  readonly build: string;
  /** 32 hexadecimal digits, or a word where a single number has no row that can be read. */
  readonly digest: string;
}

/** The first number at which the owner's history is another one, and the position of its entry here, or of the next one. */
export interface Difference {
  readonly of: History;
  readonly n: number;
  readonly position: number;
}

/** `more`: the owner has more to compare. `doubt`: two digests differ, and the next question is about a part of them. */
export type Compared = "even" | "more" | "doubt" | Difference;

/** What a spare asks the owner. */
export interface Asked {
  /** The spare's address. */
  readonly node: string;
  /** The stretches of history to compare; at most one of each. */
  readonly compare: readonly Stretch[];
  /** Where its history is another one: it stops, and the owner tells its operator. */
  readonly differs?: Difference;
}

/** What an owner says of itself to those who stand by. */
export interface OwnerSaid {
  /** Its address. */
  readonly node: string;
  readonly term: number;
  /** The last entry that is durable in its store. */
  readonly applied: number;
  /** The name of its log, and how far changes and dead letters have left it. */
  readonly log: string;
  readonly published: number;
  readonly posted: number;
  /** The digests of what was asked for. */
  readonly compared?: readonly Digest[];
}

/** What whoever asked for a hand-over is told. */
export interface HandedOver {
  /** The addresses of the spares, one of which takes over. */
  readonly to: readonly string[];
  /** What becomes of this engine: it comes back and stands by, or it ends. */
  readonly next: "stands by" | "ends";
}

/** What people and probes are told. */
export interface Standing {
  readonly role: Role;
  readonly term: number;
  /** The owner's address, where it is known and is another's. */
  readonly owner?: string;
  /** Entries that are not applied here yet. */
  readonly lag: number;
  /** Messages that came under an earlier term, and changed nothing. */
  readonly stale: number;
  /** Of an owner: how many spares stand by. */
  readonly spares?: number;
  /** Of a spare: how many changes it has not compared with the owner's yet. */
  readonly uncompared?: number;
}

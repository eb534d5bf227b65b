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
}

// Turn result
// What a turn says of its entry.
//
//   Owns:          the shape of it: for the caller, the engine and the store.
//   Does not own:  making it (turn, verdict, poison, missing).

import type { DecisionResult } from "../../machines/index.ts";
import type { TurnedAway } from "../quota.ts";
import type { StateChange } from "../rows/changes.ts";

/** What a sweep took away: how many of each kind, and how many rows in all. */
export interface SweptCounts {
  readonly rows: number;
  readonly changes: number;
  readonly auditRows: number;
  readonly deadLetters: number;
  readonly replies: number;
  readonly tombstones: number;
  readonly ledgers: number;
}

export interface TurnResult {
  readonly position: number;
  readonly at: number;
  readonly outcome: "applied" | "held" | "duplicate" | "rejected" | "dead";
  /** Why, where it was not (wholly) applied. */
  readonly reason?: string;
  /** Of a message that is held back: the number its source has to send first. */
  readonly waitsFor?: number;
  /** Of a dead letter: what kind, and the field at fault. */
  readonly code?: string;
  readonly path?: string;
  /** The hash of what the sender sent, where it sent a key. */
  readonly content?: string;
  readonly changes: readonly StateChange[];
  readonly answers: readonly DecisionResult[];
  /** Of a sweep: what it took away. */
  readonly swept?: SweptCounts;
  /** Of what its workspace had no quota left for: whose it is, how much. */
  readonly away?: TurnedAway;
  /** Set when the cause is a defect of ours rather than the message. */
  readonly defect?: unknown;
  /** What the first message with this key was answered: this one is answered the same. */
  readonly repeats?: Reply;
}

/** What a waiting caller is told, kept with the turn itself. */
export type Reply = Omit<TurnResult, "changes" | "defect" | "repeats">;

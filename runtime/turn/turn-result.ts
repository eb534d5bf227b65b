// Turn result
// The result of a turn.
//
//   Owns:          the shape of the result, for the caller, the engine and the store.
//   Does not own:  making the result (turn, verdict, poison, missing).

import type { DecisionResult } from "../../machines/index.ts";
import type { Warning } from "./early-list.ts";
import type { TurnedAway } from "../quota.ts";
import type { KeptRule } from "../rows/rule-rows.ts";
import type { FileChanges } from "./rule-making.ts";
import type { StateChange } from "../rows/changes.ts";

/** What a sweep removed: how many of each kind, and how many rows in all. */
export interface SweptCounts {
  readonly rows: number;
  readonly changes: number;
  readonly auditRows: number;
  readonly deadLetters: number;
  readonly replies: number;
  readonly tombstones: number;
  readonly ledgers: number;
  readonly pastApprovals: number;
  readonly rules: number;
}

export interface TurnResult {
  readonly position: number;
  readonly at: number;
  readonly outcome: "applied" | "held" | "duplicate" | "rejected" | "dead";
  /** Why the entry was not applied in full. */
  readonly reason?: string;
  /** Present for a message that is held back: the number that its source must send first. */
  readonly waitsFor?: number;
  /** Present if the entry was not applied: its code, if it has one; for a dead letter, the field that is wrong. */
  readonly code?: string;
  readonly path?: string;
  /** The hash of the message, if its sender sent a key. */
  readonly content?: string;
  readonly changes: readonly StateChange[];
  readonly answers: readonly DecisionResult[];
  /** A warning for the sender of a message that was applied. */
  readonly warning?: Warning;
  readonly swept?: SweptCounts;
  /** Present for a message that makes or removes a rule. */
  readonly rule?: KeptRule;
  /** Present for a message that puts a file of rules in force. */
  readonly file?: FileChanges;
  /** Present for a message beyond its workspace's quota: which workspace, how much. */
  readonly away?: TurnedAway;
  /** Present if the cause is a defect of the engine, not the message. */
  readonly defect?: unknown;
  /** The answer to the first message with this key, which a repeat gets too. */
  readonly repeats?: Reply;
}

/** The answer to a waiting caller, which the turn stores. */
export type Reply = Omit<TurnResult, "changes" | "defect" | "repeats">;

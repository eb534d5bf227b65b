// Turn result
// What a turn says about its entry.
//
//   Owns:          its shape: for the caller, the engine and the store.
//   Does not own:  making it (turn, verdict, poison, missing).

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
  /** Why the entry was not applied, or not all of it. */
  readonly reason?: string;
  /** Of a message that is held back: the number its source must send first. */
  readonly waitsFor?: number;
  /** Of what was not applied: its code, where it has one; of a dead letter, the field at fault. */
  readonly code?: string;
  readonly path?: string;
  /** The hash of what the sender sent, if it sent a key. */
  readonly content?: string;
  readonly changes: readonly StateChange[];
  readonly answers: readonly DecisionResult[];
  /** What its sender should know, though it was applied. */
  readonly warning?: Warning;
  /** Of a sweep: what it removed. */
  readonly swept?: SweptCounts;
  /** Of a message that makes or removes a rule: the rule. */
  readonly rule?: KeptRule;
  /** Of a message that puts a file of rules in force: what that changed. */
  readonly file?: FileChanges;
  /** Of a message beyond its workspace's quota: which workspace, how much. */
  readonly away?: TurnedAway;
  /** Set when the cause is a defect of the engine rather than the message. */
  readonly defect?: unknown;
  /** The answer to the first message with this key: this one gets the same. */
  readonly repeats?: Reply;
}

/** The answer to a waiting caller, kept with the turn itself. */
export type Reply = Omit<TurnResult, "changes" | "defect" | "repeats">;

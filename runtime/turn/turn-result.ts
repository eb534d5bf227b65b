// Turn result
// The result of a turn, for the sender of the message, the engine and the store.
//
//   Owns:          the shape of the result.
//   Does not own:  making a result (turn, verdict, poison, missing).

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
  /** Present for a message that is held back: the number that its source must send before it. */
  readonly waitsFor?: number;
  /** Present if the entry was not applied: the error's code, if it has one. `path`: the field that is wrong. */
  readonly code?: string;
  readonly path?: string;
  /** The hash of the message, if its sender gave it a key. */
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
  /** Present for a message beyond its workspace's quota: which workspace, and how much was refused. */
  readonly away?: TurnedAway;
  /** Present if a defect of the engine is the cause, not the message. */
  readonly defect?: unknown;
  /** The reply to the first message with this key. A repeat gets the same reply. */
  readonly repeats?: Reply;
}

/** The reply to a waiting sender, which the turn stores. */
export type Reply = Omit<TurnResult, "changes" | "defect" | "repeats">;

// Turn result
// The result of a turn, for the sender of the message, the engine and the store.
//
//   Owns:          the type of a turn's result.
//   Does not own:  making a result (turn, verdict, poison, missing).

import type { DecisionResult, RuleTerms } from "../../machines/index.ts";
import type { Warning } from "./early-list.ts";
import type { TurnedAway } from "../quota.ts";
import type { KeptRule } from "../rows/rule-rows.ts";
import type { StateChange } from "../rows/changes.ts";

export type SweptLog =
  "auditRows" | "deadLetters" | "replies" | "tombstones" | "ledgers" | "pastApprovals" | "rules";

/** What a sweep removed: how many of each kind, and how many rows in all. */
export type SweptCounts = Readonly<Record<"rows" | "changes" | SweptLog, number>>;

/**
 * What a file of rules changes, or would change if it were put in force. If the file was only checked, an added rule has no id
 * yet.
 */
export interface FileChanges<Added = KeptRule, Kept = KeptRule> {
  readonly added: readonly Added[];
  readonly removed: readonly Kept[];
  readonly kept: readonly Kept[];
  /** Rules of the file that were used up or have expired before. The engine does not make these rules again. */
  readonly over: readonly RuleTerms[];
}

export interface TurnResult {
  readonly position: number;
  readonly at: number;
  readonly outcome: "applied" | "held" | "duplicate" | "rejected" | "dead";
  readonly reason?: string;
  /** Present for a message that is held back: the sequence number that its source must send before this message. */
  readonly waitsFor?: number;
  readonly code?: string;
  readonly path?: string;
  /** The hash of the message; present if its sender gave the message an idempotency key. */
  readonly content?: string;
  readonly changes: readonly StateChange[];
  readonly answers: readonly DecisionResult[];
  readonly warning?: Warning;
  readonly swept?: SweptCounts;
  readonly rule?: KeptRule;
  readonly file?: FileChanges;
  /** Present for a message beyond its workspace's quota: which workspace, and how much was refused. */
  readonly away?: TurnedAway;
  /** Present if the message failed because of a defect of the engine: the error. */
  readonly defect?: unknown;
  /** Present for a repeated message: the reply to the first message with the same key. */
  readonly repeats?: Reply;
}

/** The reply to a waiting sender, which the turn stores. */
export type Reply = Omit<TurnResult, "changes" | "defect" | "repeats">;

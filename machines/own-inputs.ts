// Own inputs
// The inputs that only the engine gives to a session: decisions, assignments, reached deadlines, the news that a requester is
// gone, rules' demands.
//
//   Owns:          the names and fields of the inputs that only the engine gives.
//   Does not own:  inputs of sources (inputs), from whom the engine accepts a decision (runtime/door).

import type { ApprovalId } from "./ids.ts";
import type { Demand } from "./rules/terms.ts";
import type { ToolInput } from "./tool-input.ts";

export interface Decision {
  readonly type: "decision";
  readonly approvalId: ApprovalId;
  readonly decision: "approve" | "deny";
  /** The hash of the input that was shown. An approve without this hash, or with the hash of another input, is refused. */
  readonly inputHash?: string;
  readonly by: string;
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly updatedInput?: ToolInput;
  /** Where the decision was made, as its sender reports it: `panel`, `cli`, … */
  readonly via?: string;
}
/** Somebody asks a named person to answer an approval, or takes that back. An assignment does not change who may answer. */
export interface Assigned {
  readonly type: "assigned";
  readonly approvalId: ApprovalId;
  /** The person's name as shown to people; absent if the assignment is taken back. */
  readonly to?: string;
  readonly by: string;
}
export interface TimerFired {
  readonly type: "timer.fired";
  readonly address: string;
  readonly timer: string;
  readonly generation: number;
}
export interface ProcessGone {
  readonly type: "process.gone";
}
export interface WaiterGone {
  readonly type: "waiter.gone";
  readonly approvalId: ApprovalId;
}

export type OwnInput = Decision | Assigned | TimerFired | ProcessGone | WaiterGone;

export interface Demanded {
  readonly type: "demand";
  readonly approvalId: ApprovalId;
  readonly demands: readonly Demand[];
}

/** Inputs that a turn makes by itself, without a message. */
export type TurnInput = Demanded;

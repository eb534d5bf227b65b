// Own inputs
// The inputs that only the engine gives to a session: decisions, assignments, reached deadlines, requesters that are gone,
// rules' demands.
//
//   Owns:          the names and fields of these inputs.
//   Does not own:  inputs of sources (inputs), from whom the engine accepts a decision (runtime/door).

import type { ApprovalId } from "./ids.ts";
import type { Demand } from "./rules/terms.ts";
import type { ToolInput } from "./tool-input.ts";

/** A person's or a rule's answer to an approval, given to this engine. */
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
  /** The place of the decision, as its sender reports it: `panel`, `cli`, … */
  readonly via?: string;
}
/** Somebody asks a named person to answer an approval, or takes that back. It changes nothing about who may answer. */
export interface Assigned {
  readonly type: "assigned";
  readonly approvalId: ApprovalId;
  /** The person, as people read the name; absent if the assignment is taken back. */
  readonly to?: string;
  readonly by: string;
}
/** The deadline of the actor at `address` was reached. */
export interface TimerFired {
  readonly type: "timer.fired";
  readonly address: string;
  readonly timer: string;
  readonly generation: number;
}
/** The client's process is known to be gone. */
export interface ProcessGone {
  readonly type: "process.gone";
}
export interface WaiterGone {
  readonly type: "waiter.gone";
  readonly approvalId: ApprovalId;
}

/** The inputs that are made from the engine's own messages. */
export type OwnInput = Decision | Assigned | TimerFired | ProcessGone | WaiterGone;

/** Rules demand more than one person's answer to an approval. */
export interface Demanded {
  readonly type: "demand";
  readonly approvalId: ApprovalId;
  readonly demands: readonly Demand[];
}

/** Inputs that a turn makes by itself, without a message. */
export type TurnInput = Demanded;

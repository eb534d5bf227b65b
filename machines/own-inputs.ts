// Own inputs
// The inputs that only the engine itself gives to a session: answers, deadlines, askers that are gone, demands of rules.
//
//   Owns:          the names and fields of these inputs.
//   Does not own:  inputs of sources (inputs), whom the engine believes (runtime/door).

import type { ApprovalId } from "./ids.ts";
import type { Demand } from "./rules/terms.ts";
import type { ToolInput } from "./tool-input.ts";

/** A person's or a rule's answer, given to the engine. */
export interface Decision {
  readonly type: "decision";
  readonly approvalId: ApprovalId;
  readonly decision: "approve" | "deny";
  /** The hash of the input that was shown; an approve without this hash, or with another, is refused. */
  readonly inputHash?: string;
  readonly by: string;
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly updatedInput?: ToolInput;
  /** The place of the decision, as its sender reports it: `panel`, `cli`, … */
  readonly via?: string;
}
/** A deadline of the actor at `address` was reached. */
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

/** The inputs that come from own messages. */
export type OwnInput = Decision | TimerFired | ProcessGone | WaiterGone;

/** Rules demand more than one person's answer to an approval. */
export interface Demanded {
  readonly type: "demand";
  readonly approvalId: ApprovalId;
  readonly demands: readonly Demand[];
}

/** Inputs that a turn itself makes, without a message. */
export type TurnInput = Demanded;

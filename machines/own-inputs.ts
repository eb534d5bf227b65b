// Own inputs
// What only the engine itself says to a session: answers, deadlines, who is gone, what rules want.
//
//   Owns:          the names and fields of these inputs.
//   Does not own:  what sources say (inputs), whom the engine believes (runtime/door).

import type { ApprovalId } from "./ids.ts";
import type { Demand } from "./rules/terms.ts";
import type { ToolInput } from "./tool-input.ts";

/** A person's or a rule's answer, given to the engine. */
export interface Decision {
  readonly type: "decision";
  readonly approvalId: ApprovalId;
  readonly decision: "approve" | "deny";
  /** The hash of the input that was shown; an approve without it, or with another, is refused. */
  readonly inputHash?: string;
  readonly by: string;
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly updatedInput?: ToolInput;
  /** As its sender says: `panel`, `cli`, … */
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
/** Somebody who waited for an answer went away. */
export interface WaiterGone {
  readonly type: "waiter.gone";
  readonly approvalId: ApprovalId;
}

/** What only the engine itself may say. */
export type OwnInput = Decision | TimerFired | ProcessGone | WaiterGone;

/** Rules want more of an approval than one person's answer. */
export interface Demanded {
  readonly type: "demand";
  readonly approvalId: ApprovalId;
  readonly demands: readonly Demand[];
}

/** What a turn says to its session: no message brings it. */
export type TurnInput = Demanded;

// Approval facts
// The data of an approval besides its state, and the events of its machine.
//
//   Owns:          the shape of an approval, and of its events.
//   Does not own:  which event leads to which state (approval).

import type { Annotation } from "./annotation.ts";
import type { CascadePolicy } from "./call-facts.ts";
import type { ReceiptFacts } from "../evidence/receipt.ts";
import type { Vote } from "../evidence/votes.ts";
import type { AgentId, ApprovalId, CallId, RequestId } from "../ids.ts";
import type { ApprovalAnswered, Assigned, Decision, ToolInput } from "../inputs.ts";
import type { Demand } from "../rules/terms.ts";
import type { ShellCall } from "../rules/shell-call.ts";

export interface ApprovalInput {
  readonly id: ApprovalId;
  readonly requestId: RequestId;
  readonly callId?: CallId;
  readonly agentId: AgentId;
  readonly tool: string;
  readonly input?: ToolInput;
  readonly shell?: ShellCall;
  readonly channel: string;
  readonly ambiguous: boolean;
  readonly candidates: number;
  readonly deadlineAt?: number;
  readonly onDeadline: "deny" | "ask";
  readonly onDeny: CascadePolicy;
  /** Who requested the approval, by the names that the doors give them. */
  readonly requestedBy?: readonly string[];
  readonly at: number;
}

export interface ApprovalContext extends Omit<ApprovalInput, "at" | "channel">, ReceiptFacts {
  readonly askedAt: number;
  readonly updatedAt: number;
  readonly channels: readonly string[];
  readonly aliases?: readonly ApprovalId[];
  readonly demands?: readonly Demand[];
  readonly votes?: readonly Vote[];
  readonly assigned?: Assignment | undefined;
  readonly closedAt?: number;
  readonly by?: string;
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly updatedInput?: ToolInput;
  readonly early?: true;
  /** True if the answer was not given in this engine: the source reported its own answer, or the call's end showed the answer. */
  readonly observed?: true;
  readonly outcome?: "approved" | "denied" | "unknown";
  readonly stale?: true;
  readonly annotations: readonly Annotation[];
}

export interface Assignment {
  readonly to: string;
  readonly by: string;
  readonly at: number;
}

export type ApprovalEvent =
  | {
      readonly type: "asked";
      readonly at: number;
      readonly channel: string;
      readonly alias?: ApprovalId;
      readonly sender?: string;
    }
  | { readonly type: "demanded"; readonly at: number; readonly demands: readonly Demand[] }
  | { readonly type: "bound"; readonly at: number; readonly callId: CallId }
  | { readonly type: "staled"; readonly at: number }
  | ({
      readonly type: "decided";
      readonly at: number;
      readonly alias?: ApprovalId;
      readonly early?: true;
    } & Omit<Decision, "type" | "approvalId">)
  | ({ readonly type: "assigned"; readonly at: number; readonly alias?: ApprovalId } & Pick<
      Assigned,
      "to" | "by"
    >)
  | ({ readonly type: "answered"; readonly at: number } & Pick<
      ApprovalAnswered,
      "decision" | "by" | "message" | "interrupt"
    >)
  /** Nobody answered in time. @param said what the requester decided by itself, and when, ms; absent if only a timer fired. */
  | {
      readonly type: "lapsed";
      readonly at: number;
      readonly byTimer?: true;
      readonly said?: "ask" | "deny";
      readonly saidAt?: number;
    }
  | { readonly type: "taken"; readonly at: number; readonly by: string }
  | { readonly type: "left"; readonly at: number }
  /**
   * What the call showed: that it ran, with its input if the result shows one; or that it did not run.
   * @param startedOn the input that the call was started with, if the approval was about another input.
   */
  | {
      readonly type: "seen";
      readonly at: number;
      readonly ran: boolean;
      readonly inputHash?: string;
      readonly startedOn?: string;
    }
  | { readonly type: "withdrawn"; readonly at: number; readonly outcome: "approved" | "denied" | "unknown" };

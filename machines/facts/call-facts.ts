// Call facts
// The data of a tool call besides its states, the events of its machine, and the data that each event adds.
//
//   Owns:          the shape of a call and of its events; recording that a denied call ran (C5).
//   Does not own:  which event leads to which state (tool-call).

import type { Annotation } from "./annotation.ts";
import { defined } from "../defined.ts";
import type { Alone } from "../evidence/receipt.ts";
import type { AgentId, ApprovalId, BatchId, CallId, RequestId } from "../ids.ts";
import { kept, type Permission } from "../evidence/permission.ts";
import type { Intent, Missing, ToolInput } from "../inputs.ts";
import type { ReadFromWords } from "../wording.ts";

export const DEFERRAL = "deferral";

export interface Match {
  readonly how: "id" | "input" | "name";
  readonly ambiguous: boolean;
  readonly candidates: number;
  readonly pre?: "missing";
}

export const sole = (how: Match["how"]): Match => ({ how, ambiguous: false, candidates: 1 });

export interface Denial {
  /**
   * Who denied the call. `hook`: a foreign hook or the client's own rules. `model`: a model that the client asked instead of
   * a person. `rule`: a rule of this engine. `inferred`: nobody reported the denial, and the engine concluded it (C4).
   */
  readonly cause: "direct" | "cascade" | "rule" | "hook" | "model" | "expired" | "inferred";
  readonly by?: string;
  readonly callId?: CallId;
  readonly approvalId?: ApprovalId;
  readonly message?: string;
  readonly interrupt?: boolean;
  /** The evidence for an inferred denial. `batch` is the client's list of the calls of one message. */
  readonly inferredFrom?: "batch";
  /** True if the engine concluded the denial, and no result has confirmed it. */
  readonly predicted: boolean;
  /**
   * True if nobody reported the denial of this very call. The denial is taken back if the client reports that the call had begun.
   * While the denial is only predicted, any result takes it back.
   */
  readonly revisable?: true;
}

export interface CallInput {
  readonly id: CallId;
  readonly requestId: RequestId;
  readonly agentId: AgentId;
  readonly parentCallId?: CallId;
  readonly batchId: BatchId;
  readonly index: number;
  readonly tool: string;
  readonly input?: ToolInput;
  readonly toolUseId?: string;
  readonly match: Match;
  readonly intent?: Intent;
  readonly at: number;
  readonly observedAt?: number;
}

export interface CallContext extends Omit<CallInput, "at"> {
  readonly createdAt: number;
  readonly queuedAt?: number;
  readonly startedAt?: number;
  readonly closedAt?: number | undefined;
  readonly updatedAt: number;
  readonly deferredAt?: number;
  readonly deferred: boolean;
  readonly approval?: {
    readonly id: string;
    readonly at: number;
    readonly by?: string;
    readonly inputHash?: string;
    readonly message?: string;
    /** What the requester does without an answer; absent if the requester does not wait for this engine's answer. */
    readonly closes?: "ask" | "deny";
    readonly approvedHash?: string;
    /** The input that the call was started with, if the approval was about another input. */
    readonly startedOn?: string;
    readonly alone?: Alone;
    readonly isDemanded?: true;
  };
  readonly permission?: Permission;
  readonly output?: string;
  readonly error?: string | undefined;
  readonly durationMs?: number;
  /** The input that the tool got, if it differs from `input`. */
  readonly ranInput?: ToolInput;
  readonly denial?: Denial;
  readonly missing?: { readonly cause: Missing; readonly evidence: string } | undefined;
  /** The state in which the call was closed before later evidence changed its end or reopened the call. */
  readonly was?: "missing-post" | "denied" | "failed";
  readonly observed?: "ran" | "not-run" | "unknown";
  readonly executedAfterDenial?: true;
  /** Present if the call ran, with the input that its result shows, if any. */
  readonly ran?: { readonly at: number; readonly inputHash?: string };
  readonly gated?: "all" | "permission";
  readonly gateAsked?: true;
  /** Present if the source reported, after the call's end, that the call had been allowed. */
  readonly allowedBy?: string;
  readonly annotations: readonly Annotation[];
}

interface Result {
  readonly at: number;
  readonly durationMs?: number;
  readonly ranInput?: ToolInput;
  readonly shownHash?: string;
  readonly gated?: "all" | "permission";
  /** How the engine chose this call for the result; present only if other calls fitted as well. */
  readonly match?: Match;
}

interface AboutApproval {
  readonly approvalId: ApprovalId;
}

interface Word {
  readonly at: number;
  /** True if the call counts as failed, but no text of the failure is known. This event then replaces the failure (C2). */
  readonly outdoes?: true;
}

export type CallEvent =
  | { readonly type: "announced"; readonly at: number }
  | { readonly type: "started"; readonly at: number; readonly match?: Match }
  | ({ readonly type: "finished"; readonly output?: string } & Result)
  | ({
      readonly type: "failed";
      readonly error: string;
      readonly evidence?: "batch";
      /** True if the failure comes without its text, and the client has reported that the call was stopped. */
      readonly stopped?: true;
    } & Result)
  | ({ readonly type: "denied"; readonly denial: Denial; readonly match?: Match } & Word & ReadFromWords)
  | ({ readonly type: "missed"; readonly cause: Missing; readonly evidence: string } & Word)
  | { readonly type: "deferred"; readonly at: number; readonly until: number; readonly reopens?: true }
  | {
      readonly type: "asked";
      readonly at: number;
      readonly approvalId: ApprovalId;
      readonly inputHash?: string;
      readonly closes?: "ask" | "deny";
      readonly byGate?: boolean;
      readonly isDemanded?: true;
    }
  | { readonly type: "approved"; readonly at: number; readonly by: string; readonly inputHash?: string }
  | { readonly type: "disapproved"; readonly at: number; readonly by: string; readonly denial: Denial }
  | { readonly type: "lapsed"; readonly at: number; readonly denial?: Denial }
  | { readonly type: "withdrawn"; readonly at: number; readonly by: string }
  | { readonly type: "placed"; readonly at: number; readonly index: number }
  | {
      readonly type: "amended";
      readonly at: number;
      readonly toolUseId?: string;
      readonly match?: Match;
      readonly intent?: Intent;
      readonly permission?: Permission;
      readonly gated?: "all" | "permission";
      readonly gateAsked?: true;
      readonly ran?: { readonly at: number; readonly inputHash?: string };
      readonly allowedBy?: string;
      readonly alone?: Alone & AboutApproval;
      readonly startedOn?: { readonly inputHash: string } & AboutApproval;
      readonly isDemanded?: true;
      readonly output?: string;
      readonly error?: string;
      readonly durationMs?: number;
    };

type Facts = Partial<Omit<CallContext, "annotations">>;

export const isTentative = (denial: Denial | undefined): boolean =>
  denial?.cause === "inferred" || (denial?.predicted === true && denial.revisable === true);

export function learn(context: CallContext, event: CallEvent): Facts {
  switch (event.type) {
    case "announced":
      return { queuedAt: event.at };
    case "started":
      return { startedAt: context.startedAt ?? event.at, ...defined({ match: event.match }) };
    case "finished":
    case "failed":
      return {
        ...endOf(context, event),
        ...defined({ durationMs: event.durationMs, ranInput: event.ranInput, match: event.match }),
        ...ranBy(context, event),
      };
    case "denied":
      return {
        closedAt: event.at,
        denial: event.denial,
        // Why there is no result was said of another end, which this denial replaces.
        ...(context.missing && { missing: undefined }),
        observed: event.denial.predicted ? "unknown" : "not-run",
        ...defined({ match: event.match }),
      };
    case "disapproved":
      return { closedAt: event.at, denial: event.denial, observed: "unknown" };
    case "lapsed":
      return event.denial ? { closedAt: event.at, denial: event.denial, observed: "unknown" } : {};
    case "missed":
      return { closedAt: event.at, missing: { cause: event.cause, evidence: event.evidence } };
    case "deferred":
      return { deferredAt: event.at };
    case "placed":
      return { index: event.index };
    case "amended":
      return {
        ...defined({ toolUseId: event.toolUseId, match: event.match, intent: event.intent }),
        ...(event.permission && { permission: kept(context.permission, event.permission) }),
        ...defined({ gated: event.gated, gateAsked: event.gateAsked }),
        ...(event.ran && { ran: { ...event.ran, at: context.ran?.at ?? event.ran.at } }),
        ...defined({ allowedBy: event.allowedBy }),
        ...(event.alone && aloneOf(context, event.alone)),
        ...(event.startedOn &&
          withApproval(context, event.startedOn, { startedOn: event.startedOn.inputHash })),
        ...(event.isDemanded && withApproval(context, {}, { isDemanded: true })),
        ...defined({ output: event.output, error: event.error, durationMs: event.durationMs }),
      };
    case "asked":
    case "approved":
    case "withdrawn":
      return {};
  }
}

function endOf(
  { missing, closedAt }: CallContext,
  event: Extract<CallEvent, { type: "finished" | "failed" }>,
): Facts {
  if (event.type === "finished") return { closedAt: event.at, ...defined({ output: event.output }) };
  if (!event.stopped) return { closedAt: event.at, error: event.error };
  return missing?.evidence === "result"
    ? { closedAt }
    : { closedAt: event.at, missing: { cause: "interrupted", evidence: "result" } };
}

/** Notes that the call ran, if its result shows that; a failure in the client's list of calls (`tool.batch`) does not. */
export function ranBy(context: CallContext, event: CallEvent): Facts {
  if (event.type !== "finished" && event.type !== "failed") return {};
  if (event.type === "failed" && event.evidence === "batch") return {};
  const { shownHash, at, gated } = event;
  const inputHash = context.ran?.inputHash ?? shownHash;
  return { ran: { at: context.ran?.at ?? at, ...defined({ inputHash }) }, ...defined({ gated }) };
}

const aloneOf = (context: CallContext, { approvalId, at, said }: Alone & AboutApproval): Facts =>
  context.approval?.alone ? {} : withApproval(context, { approvalId }, { alone: { at, said } });

/** Adds facts to the call's newest approval. If `approvalId` is given, and is another approval's id, nothing is added. */
function withApproval(
  { approval }: CallContext,
  { approvalId = approval?.id }: { readonly approvalId?: string },
  facts: Partial<NonNullable<CallContext["approval"]>>,
): Facts {
  return approval?.id === approvalId && approval ? { approval: { ...approval, ...facts } } : {};
}

export function hear(context: CallContext, event: CallEvent): Pick<CallContext, "approval" | "gateAsked"> {
  if (event.type === "asked") {
    const { approvalId: id, at, inputHash, closes, byGate, isDemanded } = event;
    return {
      approval: { id, at, ...defined({ inputHash, closes, isDemanded }) },
      ...(byGate && { gateAsked: true as const }),
    };
  }
  const approval = context.approval;
  if (!approval) return {};
  if (event.type === "approved") {
    const { at, by, inputHash } = event;
    return { approval: { ...approval, at, by, ...defined({ approvedHash: inputHash }) } };
  }
  if (event.type === "withdrawn") return { approval: { ...approval, at: event.at, by: event.by } };
  if (event.type === "disapproved") {
    const { message } = event.denial;
    return { approval: { ...approval, at: event.at, by: event.by, ...defined({ message }) } };
  }
  return event.type === "lapsed" ? { approval: { ...approval, at: event.at, by: "deadline" } } : {};
}

export type CascadePolicy = "strict" | "interrupt" | "none";

// Effects
// The requests that a machine may make of the runtime: a closed union of named actions, which do nothing by themselves.
//
//   Owns:          the names and parameters of effects, and of the reports of actors to their session.
//   Does not own:  carrying out the effects (runtime/turn does; under plain XState, spawnChild and sendTo do).
//
// I-43. A machine asks the runtime only for the effects in this union. If a machine asks for anything else, the runtime fails the
//     turn.

import type { ApprovalInput, ApprovalEvent } from "./facts/approval-facts.ts";
import type { DecisionResult, Audit } from "./audit.ts";
import { type Annotation } from "./facts/annotation.ts";
import type { ActorName, ApprovalId, CallId, ChildKind, RequestId } from "./ids.ts";
import type { CallEvent, CallInput, Denial } from "./facts/call-facts.ts";
import type { RequestEvent, RequestInput } from "./facts/request-facts.ts";

interface Spawned<Kind extends ChildKind, Id, Given> {
  readonly do: "spawn";
  readonly kind: Kind;
  readonly id: Id;
  readonly input: Given;
}
interface Delivered<Kind extends ChildKind, Id, Event> {
  readonly do: "deliver";
  readonly kind: Kind;
  readonly id: Id;
  readonly event: Event;
}

/** A step of a plan: a new actor, an event for an existing actor, or a reply to a decision whose approval has no actor. */
export type Step =
  | Spawned<"request", RequestId, RequestInput>
  | Spawned<"call", CallId, CallInput>
  | Spawned<"approval", ApprovalId, ApprovalInput>
  | Delivered<"request", RequestId, RequestEvent>
  | Delivered<"call", CallId, CallEvent>
  | Delivered<"approval", ApprovalId, ApprovalEvent>
  | { readonly do: "answer"; readonly answer: DecisionResult }
  | { readonly do: "audit"; readonly audit: Audit }
  | { readonly do: "alias"; readonly alias: Alias };

export type Spawn = Extract<Step, { do: "spawn" }>;
export type Deliver = Extract<Step, { do: "deliver" }>;
export type Remove = ActorName;

export type Report =
  | {
      readonly type: "call.closed";
      readonly callId: CallId;
      readonly state: "completed" | "failed" | "denied" | "missing-post";
      readonly denial?: Denial;
      readonly ran?: true;
    }
  | { readonly type: "call.deferred" | "call.resumed"; readonly callId: CallId }
  | {
      readonly type: "approval.closed";
      readonly approvalId: ApprovalId;
      readonly state: "approved" | "denied" | "expired" | "withdrawn";
      readonly by: string;
      readonly message?: string;
      readonly interrupt?: boolean;
      readonly observed?: boolean;
      readonly inputHash?: string;
      readonly onDeadline?: "deny" | "ask";
    }
  | {
      readonly type: "request.closed";
      readonly requestId: RequestId;
      readonly state: "completed" | "failed" | "timeout";
    };

/**
 * Sets or cancels a deadline of the actor; `at` is a journal time, ms. The actor's earlier deadline of the same name
 * (`timer`) no longer counts.
 */
export interface Schedule {
  readonly timer: string;
  /** Undefined cancels the deadline. */
  readonly at: number | undefined;
}

export interface Alias {
  readonly id: string;
  readonly of: string;
  /** The request of the alias's approval: the alias is removed together with this request. */
  readonly requestId: RequestId;
}

const noop = (): void => undefined;

/** The actions that every machine declares. Only their types matter: their bodies are empty on purpose. */
export const effects = {
  spawn: noop as (args: unknown, params: Spawn) => void,
  deliver: noop as (args: unknown, params: Deliver) => void,
  remove: noop as (args: unknown, params: Remove) => void,
  report: noop as (args: unknown, params: Report) => void,
  schedule: noop as (args: unknown, params: Schedule) => void,
  cancel: noop as (args: unknown, params: { readonly timer: string }) => void,
  annotate: noop as (args: unknown, params: Annotation) => void,
  answer: noop as (args: unknown, params: DecisionResult) => void,
  audit: noop as (args: unknown, params: Audit) => void,
  alias: noop as (args: unknown, params: Alias) => void,
};

type EffectName = keyof typeof effects;
export const EFFECT_NAMES: readonly string[] = Object.keys(effects);

export type Effect = {
  [N in EffectName]: { readonly type: N; readonly params: Parameters<(typeof effects)[N]>[1] };
}[EffectName];

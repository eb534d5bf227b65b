// Views
// Shows actors to clients of the engine: as plain JSON with the names of docs/reference/openapi.yaml.
//
//   Owns:          the shape of each view.
//   Does not own:  the states (machines), who may see a view (adapters).

import { type Alarm, alarmOf, defined, isAtTerminal, receiptOf, standings } from "../../machines/index.ts";
import type {
  ApprovalContext,
  CallContext,
  RequestContext,
  SessionContext,
  ToolInput,
  WrittenInput,
} from "../../machines/index.ts";
import type { Snapshot, StateValue } from "./actors/actors.ts";

export type Shown = Pick<Snapshot, "value" | "context">;

const INPUT_MAX = 16 * 1024;

/** Why an input cannot be shown: its blob is missing, or its text does not match its hash. */
export type InputMissing = "lost" | "damaged";

/** An input in a view: its hash, and the input itself, or its length if it is not shown, or the reason why it cannot be shown. */
export interface Input {
  readonly input?: unknown;
  readonly inputHash?: string;
  readonly inputBytes?: number;
  readonly inputMissing?: InputMissing;
}

/**
 * The view of an input. An input in a blob is always shown by hash and length only (whole-inputs). Without `whole`, an input
 * above 16 KiB is shown in the same way.
 */
function inputView(input: ToolInput | undefined, whole: boolean): Input {
  if (!input) return {};
  const { hash: inputHash } = input;
  if ("damaged" in input) return { inputHash, inputMissing: "damaged" };
  if ("blob" in input) return { inputHash, inputBytes: input.bytes };
  const { text } = input;
  if (!whole && text.length > INPUT_MAX) return { inputHash, inputBytes: Buffer.byteLength(text) };
  return { input: parsed(input), inputHash };
}

/** The input that was parsed last. It is cached, because consecutive changes mostly belong to one call and its input. */
let last: { readonly input: WrittenInput; readonly value: unknown } | undefined;
function parsed(input: WrittenInput): unknown {
  if (last?.input !== input) last = { input, value: JSON.parse(input.text) as unknown };
  return last.value;
}

/** The state of one region of a machine with regions, or the state of a machine without regions. */
export function regionOf(value: StateValue, region?: string): string {
  const part = region === undefined || typeof value === "string" ? value : value[region];
  if (typeof part === "string") return part;
  const [outer, inner] = Object.entries(part ?? {})[0] ?? [""];
  return outer === "processing" && inner === "waiting" ? "waiting" : outer;
}

/**
 * What the view of an actor has in addition if the actor is at a peer: another engine whose sessions this engine shows, too
 * (runtime/peers).
 */
export interface AtPeer {
  /** The name of the peer that has the actor; absent for this engine's own actors. */
  readonly engine?: string;
}

export interface SessionView extends Omit<SessionContext, "keepMs" | "watched">, AtPeer {
  readonly state: string;
}

export function sessionView(snapshot: Shown): SessionView {
  const { keepMs: _, watched: _watched, ...context } = snapshot.context as SessionContext;
  return { state: regionOf(snapshot.value), ...context };
}

export function requestView(workspace: string, sessionId: string, snapshot: Shown, whole = false) {
  const context = snapshot.context as RequestContext;
  const {
    id,
    hungAfterMs: _hung,
    unbegunMs: _unbegun,
    keepMs: _keep,
    runningSince: _since,
    callback,
    output,
    ...rest
  } = context;
  const leaf = regionOf(snapshot.value, "lifecycle");
  return {
    requestId: id,
    workspace,
    sessionId,
    state: leaf === "waiting" ? "processing" : leaf,
    waiting: leaf === "waiting",
    callbackState: regionOf(snapshot.value, "callback"),
    ...rest,
    ...(callback && {
      callback: {
        ...callback,
        retryTimestamps: callback.retryTimestamps.map((at) => new Date(at).toISOString()),
      },
    }),
    ...(whole && output !== undefined && { output }),
  };
}
export type RequestView = ReturnType<typeof requestView> & AtPeer;

export interface BatchFacts {
  readonly ordered: boolean;
}

export function callView(sessionId: string, snapshot: Shown, batch: BatchFacts | undefined, whole = false) {
  const context = snapshot.context as CallContext;
  const {
    input,
    ranInput,
    approval,
    output,
    denial,
    missing,
    ran,
    deferred: _,
    gated: _gated,
    gateAsked: _asked,
    executedAfterDenial: wasDenied,
    // All fields are taken out at once, because each further `...rest` would copy the remaining fields again.
    ...rest
  } = context;
  const execution = regionOf(snapshot.value, "execution");
  const alarm = alarmIn(snapshot);
  return {
    sessionId,
    execution,
    ordered: batch?.ordered ?? false,
    ...rest,
    ...defined({ alarm }),
    // Rows of older versions lack the alarm's kind, so for these rows the stored `executedAfterDenial` counts.
    ...((ran ? alarm?.kind === "executedAfterDenial" : wasDenied) && { executedAfterDenial: true as const }),
    // If a denial or a missing result was taken back, the call has another state by now, and only the field `was` names the old
    // one.
    ...(denial && execution === "denied" && { denial }),
    ...(missing && execution === "missing-post" && { missing }),
    ...inputView(input, whole),
    ...(ranInput && { ranInput: inputView(ranInput, whole) }),
    ...(approval && { approval: mirrored(approval, regionOf(snapshot.value, "approval")) }),
    ...(whole && output !== undefined && { output }),
  };
}
export type CallView = ReturnType<typeof callView>;

/**
 * The call's newest approval, as the call's view shows it. `lapsed`: the requester had already answered its client when the
 * answer came.
 */
function mirrored(approval: NonNullable<CallContext["approval"]>, state: string) {
  const { alone, closes: _, isDemanded: _demanded, approvedHash: _hash, ...rest } = approval;
  return { ...rest, state, ...defined({ lapsed: alone }) };
}

export function alarmIn({ value, context }: Shown): Alarm | undefined {
  const execution = regionOf(value, "execution");
  return alarmOf({ execution, approval: regionOf(value, "approval"), context: context as CallContext });
}

/**
 * The view of a call's alarm, which says that the call ran although it should not have run (machines/evidence/alarm). If the
 * call has no alarm any more, the view says that the alarm was taken back.
 */
export function alarmView(workspace: string, sessionId: string, snapshot: Shown) {
  const { id, requestId, agentId, tool, input, updatedAt } = snapshot.context as CallContext;
  const { kind, ...alarm } = alarmIn(snapshot) ?? { kind: CLEARED, at: updatedAt };
  return {
    workspace,
    sessionId,
    requestId,
    callId: id,
    agentId,
    tool,
    state: kind,
    ...alarm,
    ...(input && { inputHash: input.hash }),
  };
}
export type AlarmView = ReturnType<typeof alarmView> & AtPeer;

export const CLEARED = "cleared";

export function approvalView(workspace: string, sessionId: string, snapshot: Shown, whole = false) {
  const context = snapshot.context as ApprovalContext;
  const {
    input,
    updatedInput,
    demands,
    votes,
    requestedBy: _by,
    taken: _,
    alone,
    left: _left,
    ran: _ran,
    notRun: _not,
    ...rest
  } = context;
  const state = regionOf(snapshot.value);
  const receipt = receiptOf(state, context);
  return {
    workspace,
    sessionId,
    state,
    ...rest,
    // `maybeAnswered`: nobody reported an answer, but the agent went on with another call. So somebody may have answered at the
    // client's terminal, if the approval is shown there (DIALOG-1).
    ...(state === "pending" &&
      context.stale &&
      isAtTerminal(context.channels) && { maybeAnswered: true as const }),
    ...defined({ receipt }),
    ...(demands && demandsView(context)),
    // If there is a receipt, `lapsed` is left out: the receipt already says that the requester decided by itself.
    ...(alone && !receipt && { lapsed: alone }),
    ...inputView(input, whole),
    ...(updatedInput && { updatedInput: inputView(updatedInput, whole) }),
  };
}
function demandsView(approval: ApprovalContext) {
  const { askedAt, votes = [] } = approval;
  const demands = standings(approval).map(({ approvers, ...demand }) => ({
    ...demand,
    ...(approvers && {
      approvers: approvers.map(({ name, afterMs = 0 }) => ({ name, fromAt: askedAt + afterMs })),
    }),
  }));
  return { demands, votes };
}

export type ApprovalView = ReturnType<typeof approvalView> &
  AtPeer & {
    /**
     * Present while the peer that has the approval is away: when the peer last showed that the approval waits, or went away if
     * that was later, ms.
     */
    readonly lastSeenAt?: number | undefined;
  };

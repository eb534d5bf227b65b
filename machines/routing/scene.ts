// Scene
// The data that the routing of one message reads and changes, and the plan that the routing makes.
//
//   Owns:          the plan while it is made, and the few functions that add to it.
//   Does not own:  any decision about calls, approvals or requests.
//
// The plan is a mutable object, because it exists for one message only, and routing returns it whole.

import type { ApprovalInput, ApprovalEvent } from "../facts/approval-facts.ts";
import {
  aliases,
  type ApprovalBook,
  approvals,
  type CallBook,
  change,
  gone,
  head,
  type RequestBook,
  requests,
} from "../books.ts";
import type { Digest } from "../queues/queue-keys.ts";
import type { Schedule, Step, Remove } from "../effects.ts";
import type { ApprovalId, CallId, RequestId, SessionId } from "../ids.ts";
import type { Records } from "../records.ts";
import type { RequestEvent, RequestInput } from "../facts/request-facts.ts";
import type { SessionFacts } from "../inputs.ts";
import type { CallEvent, CallInput, CascadePolicy } from "../facts/call-facts.ts";

/** The engine's settings that matter to a session. They are stored in the journal, so that a replay uses the same settings. */
export interface Policy {
  readonly cascade: CascadePolicy;
  readonly hungAfterMs: number;
  /** The engine gives up a service's request that has not begun after this long without input, ms. */
  readonly unbegunMs: number;
  /** The engine gives up a deferred call that the client does not take up after this long, ms. */
  readonly deferredMs: number;
  readonly idleMs: number;
  readonly keepMs: number;
  readonly orphanMs: number;
  readonly orphansMax: number;
  readonly earlyMax: number;
}

const HOUR_MS = 60 * 60 * 1000;

export const DEFAULT_POLICY: Policy = {
  cascade: "strict",
  hungAfterMs: HOUR_MS,
  unbegunMs: 24 * HOUR_MS,
  deferredMs: 7 * 24 * HOUR_MS,
  idleMs: 24 * HOUR_MS,
  keepMs: 24 * HOUR_MS,
  orphanMs: 60 * 1000,
  orphansMax: 1024,
  earlyMax: 1024,
};

export interface Scene {
  readonly records: Records;
  readonly sessionId: SessionId;
  readonly at: number;
  /** The kind of source that sent the message. The prompts of each channel are stored separately. */
  readonly channel: string;
  readonly policy: Policy;
  readonly digest: Digest;
  /** R3. Returns true if another session of the workspace has a request with this id. */
  readonly isTaken: (request: RequestId) => boolean;
  readonly steps: Step[];
  readonly timers: Schedule[];
  readonly removals: Remove[];
  facts: SessionFacts;
  /** True once a message shows that the session works now. A message about earlier work does not show that. */
  revives: boolean;
  /** The call that the message shows to be running. If this call stays open, an ended session works again. */
  atWork: CallId | undefined;
  reason: string | undefined;
  /** Why the message changes nothing, as its rejection record will say; undefined if it is applied, or needs no record. */
  rejection: string | undefined;
  /** True if the message uses an id or a call again for another approval than before (I-53). */
  isReuse: boolean;
}

/** @param given `isTaken` may be absent if no other session exists. */
export function scene(
  given: Pick<Scene, "records" | "sessionId" | "at" | "channel" | "policy" | "digest"> &
    Partial<Pick<Scene, "isTaken">>,
): Scene {
  return {
    isTaken: () => false,
    steps: [],
    timers: [],
    removals: [],
    facts: {},
    revives: false,
    atWork: undefined,
    reason: undefined,
    rejection: undefined,
    isReuse: false,
    ...given,
  };
}

export function tellCall(scene: Scene, id: CallId, event: CallEvent): void {
  scene.steps.push({ do: "deliver", kind: "call", id, event });
}
export function tellRequest(scene: Scene, id: RequestId, event: RequestEvent): void {
  scene.steps.push({ do: "deliver", kind: "request", id, event });
}
export function tellApproval(scene: Scene, id: ApprovalId, event: ApprovalEvent): void {
  scene.steps.push({ do: "deliver", kind: "approval", id, event });
}
export function spawnCall(scene: Scene, input: CallInput): void {
  scene.steps.push({ do: "spawn", kind: "call", id: input.id, input });
}
export function spawnRequest(scene: Scene, input: RequestInput): void {
  scene.steps.push({ do: "spawn", kind: "request", id: input.id, input });
}
export function spawnApproval(scene: Scene, input: ApprovalInput): void {
  scene.steps.push({ do: "spawn", kind: "approval", id: input.id, input });
}

export function touch({ records, at }: Scene, id: RequestId, fields: Partial<RequestBook> = {}): void {
  change(requests, records, id, { lastInputAt: at, ...fields });
}

export function reject(scene: Scene, why: string): void {
  scene.rejection = why;
}

/** Adds or removes one reason why a request waits. The request waits from the first reason until the last reason is removed. */
export function hold(scene: Scene, id: RequestId, what: "pending" | "deferred", by: 1 | -1): void {
  const book = requests.get(scene.records, id);
  if (!book) return;
  const next = { ...book, [what]: book[what] + by, lastInputAt: scene.at };
  requests.set(scene.records, id, next);
  const before = book.pending + book.deferred;
  const after = next.pending + next.deferred;
  if (before === 0 && after > 0) tellRequest(scene, id, { type: "blocked", at: scene.at });
  if (before > 0 && after === 0) tellRequest(scene, id, { type: "unblocked", at: scene.at });
}

export function approvalOf(scene: Scene, id: ApprovalId | undefined): ApprovalId | undefined {
  if (id === undefined) return undefined;
  return approvals.get(scene.records, id) ? id : aliases.get(scene.records, id);
}

/** Withdraws an approval that was not answered. It may still record how it was answered elsewhere (APPROVAL-2). */
export function withdraw(
  scene: Scene,
  id: ApprovalId | undefined,
  outcome: "approved" | "denied" | "unknown",
): void {
  const book: ApprovalBook | undefined = id === undefined ? undefined : approvals.get(scene.records, id);
  if (id !== undefined && (book?.pending || (book?.withdrawn && outcome !== "unknown")))
    tellApproval(scene, id, { type: "withdrawn", at: scene.at, outcome });
}

export function isOpen(call: CallBook): boolean {
  return call.stage !== "closed";
}

const CLOSING: ReadonlySet<string> = new Set<CallEvent["type"]>([
  "finished",
  "failed",
  "denied",
  "disapproved",
  "missed",
]);

const closes = (event: CallEvent): boolean =>
  CLOSING.has(event.type) || (event.type === "lapsed" && event.denial !== undefined);

/** True if the plan closes an open call. The call's book shows that only after the plan is carried out. */
export function isClosing(scene: Scene, id: CallId): boolean {
  return scene.steps.some(
    (step) => step.do === "deliver" && step.kind === "call" && step.id === id && closes(step.event),
  );
}

export function requestIsOpen(scene: Scene, id: RequestId): boolean {
  return requests.get(scene.records, id)?.open ?? false;
}

/** The prompt of a message: the prompt that the message names, or else the last one that its channel named. */
export function promptOf(scene: Scene, input: { readonly promptId?: string }): string | undefined {
  return input.promptId ?? head(scene.records).promptBy[scene.channel];
}

/** True for a transcript, whose lines may be about the past. The end of a channel's name is the kind of its file. */
export const lags = ({ channel }: Pick<Scene, "channel">): boolean => channel.endsWith(".transcript");

/** True if the call or request was removed. A message about it then comes too late, and is rejected. */
export function isGone(scene: Scene, id: string | undefined): boolean {
  if (id === undefined || gone.get(scene.records, id) === undefined) return false;
  scene.rejection = `late: ${id} was removed`;
  return true;
}

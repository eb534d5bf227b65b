// Scene
// The data that routing a message may read, and the plan that it writes.
//
//   Owns:          the plan while it is made; the few ways to add to the plan.
//   Does not own:  any rule.
//
// Only the plan changes in place: it exists for one message, and routing returns the whole plan.

import type { ApprovalInput, ApprovalEvent } from "../facts/approval-facts.ts";
import {
  aliases,
  type ApprovalBook,
  approvals,
  type CallBook,
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

/** The settings that matter to a session. They are in the journal, so that a replay uses the same settings. */
export interface Policy {
  readonly cascade: CascadePolicy;
  /** R2. A request without any input for this long has hung. */
  readonly hungAfterMs: number;
  /** A gateway's request that has not begun is given up after this long without input. */
  readonly unbegunMs: number;
  /** A deferred call that is not taken up is given up after this long. */
  readonly deferredMs: number;
  /** I-48. A session at rest ends after this long without input. */
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
  /** The time of the turn: the journal's stamp of its message, ms. */
  readonly at: number;
  /** The kind of source that sent the message. Each channel's prompts are followed separately. */
  readonly channel: string;
  readonly policy: Policy;
  readonly digest: Digest;
  /** R3. True if another session of the workspace has a request of this id. */
  readonly isTaken: (request: RequestId) => boolean;
  readonly steps: Step[];
  readonly timers: Schedule[];
  readonly removals: Remove[];
  facts: SessionFacts;
  /** True once a message shows that the session is at work now, not only that it was. */
  revives: boolean;
  /** The call that the message shows at work. If the call stays open, the session is at work again. */
  atWork: CallId | undefined;
  reason: string | undefined;
  /** Why the message changes nothing, if its sender should know. */
  rejection: string | undefined;
  /** True if the message asks under an id, or about a call, that means something else (I-53). */
  isReuse: boolean;
}

/** @param given without `isTaken` if no other session exists. */
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

/** Notes a message about a request or one of its calls (R2). */
export function touch(scene: Scene, id: RequestId, change: Partial<RequestBook> = {}): void {
  const book = requests.get(scene.records, id);
  if (book) requests.set(scene.records, id, { ...book, lastInputAt: scene.at, ...change });
}

/** Adds or removes one reason for a request to wait; the first and the last reason change the request's state. */
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

/** The approval that an id means: its own id, or another channel's id for it. */
export function approvalOf(scene: Scene, id: ApprovalId | undefined): ApprovalId | undefined {
  if (id === undefined) return undefined;
  return approvals.get(scene.records, id) ? id : aliases.get(scene.records, id);
}

/** Withdraws an approval, unless it was answered. A withdrawn approval learns how it was answered elsewhere (APPROVAL-2). */
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

/** True if the plan closes an open call. The call's book shows that only after the plan. */
export function isClosing(scene: Scene, id: CallId): boolean {
  return scene.steps.some(
    (step) => step.do === "deliver" && step.kind === "call" && step.id === id && closes(step.event),
  );
}

export function requestIsOpen(scene: Scene, id: RequestId): boolean {
  return requests.get(scene.records, id)?.open ?? false;
}

/** The prompt of a message: the prompt it names, or else the last prompt that its channel named. */
export function promptOf(scene: Scene, input: { readonly promptId?: string }): string | undefined {
  return input.promptId ?? head(scene.records).promptBy[scene.channel];
}

/** True for a transcript, whose lines may be long over. A channel is named by its kind of source and kind of file. */
export const lags = ({ channel }: Pick<Scene, "channel">): boolean => channel.endsWith(".transcript");

/** True if the call or request was removed: the message came too late, and is rejected as late. */
export function isGone(scene: Scene, id: string | undefined): boolean {
  if (id === undefined || gone.get(scene.records, id) === undefined) return false;
  scene.rejection = `late: ${id} was removed`;
  return true;
}

// Scene
// What routing one message may look at, and the steps it writes down.
//
//   Owns:          the plan under construction; the few ways to add to it.
//   Does not own:  any rule.
//
// The plan is the only thing here that changes in place: it lives for one message and is handed over whole.

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

/** What of the configuration in force matters to a session. Journalled, so that a replay sees the same. */
export interface Policy {
  readonly cascade: CascadePolicy;
  /** R2: a request without any input for this long is hung. */
  readonly hungAfterMs: number;
  /** A gateway's request that is not begun is given up after this long without any input for it. */
  readonly unbegunMs: number;
  /** A call that was put off, and is not taken up again, is given up after this long. */
  readonly deferredMs: number;
  /** I-48: a session at rest ends after this long without any input. */
  readonly idleMs: number;
  /** How long closed things are kept. */
  readonly keepMs: number;
  /** How long a result waits for its call. */
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
  /** The turn's clock: its message's journal stamp, ms. */
  readonly at: number;
  /** Which kind of source speaks: its prompts are followed apart from the others'. */
  readonly channel: string;
  readonly policy: Policy;
  readonly digest: Digest;
  /** R3: whether another session of the workspace has a request of this id. */
  readonly isTaken: (request: RequestId) => boolean;
  readonly steps: Step[];
  readonly timers: Schedule[];
  readonly removals: Remove[];
  /** Facts about the session learnt from this message. */
  facts: SessionFacts;
  /** True once something shows that the session is at work, not only remembered. */
  revives: boolean;
  /** The call that the message shows to be at work: it revives the session where it is left open. */
  atWork: CallId | undefined;
  /** Why the session ends, where that is known. */
  reason: string | undefined;
  /** Why the message changes nothing, where that is worth telling. */
  rejection: string | undefined;
  /** It asks under an id, or about a call, that stands for something else (I-53). */
  isReuse: boolean;
}

/** @param given without `isTaken` for a session that is alone. */
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

/** Notes that a request, or one of its calls, was heard of (R2). */
export function touch(scene: Scene, id: RequestId, change: Partial<RequestBook> = {}): void {
  const book = requests.get(scene.records, id);
  if (book) requests.set(scene.records, id, { ...book, lastInputAt: scene.at, ...change });
}

/** Counts a reason to wait in or out of a request, and says so when it is the first or the last. */
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

/** The approval an id means: its own, or what another channel calls it. */
export function approvalOf(scene: Scene, id: ApprovalId | undefined): ApprovalId | undefined {
  if (id === undefined) return undefined;
  return approvals.get(scene.records, id) ? id : aliases.get(scene.records, id);
}

/** Withdraws an approval, unless it is answered already; tells one that is withdrawn how it was answered (APPROVAL-2). */
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

/** True where the plan so far closes an open call: its book says so once the call has. */
export function isClosing(scene: Scene, id: CallId): boolean {
  return scene.steps.some(
    (step) => step.do === "deliver" && step.kind === "call" && step.id === id && closes(step.event),
  );
}

/** True while the request is known and open. */
export function requestIsOpen(scene: Scene, id: RequestId): boolean {
  return requests.get(scene.records, id)?.open ?? false;
}

/** The prompt a message belongs to: its own word, else the last one its channel spoke of. */
export function promptOf(scene: Scene, input: { readonly promptId?: string }): string | undefined {
  return input.promptId ?? head(scene.records).promptBy[scene.channel];
}

/** A channel's name is its kind of source and its kind of file: what such a file tells now may be long over. */
export const lags = ({ channel }: Pick<Scene, "channel">): boolean => channel.endsWith(".transcript");

/** True for a call or request that was taken away: the message comes late, and is turned away as such. */
export function isGone(scene: Scene, id: string | undefined): boolean {
  if (id === undefined || gone.get(scene.records, id) === undefined) return false;
  scene.rejection = `late: ${id} was removed`;
  return true;
}

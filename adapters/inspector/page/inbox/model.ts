// Inbox model
// The open questions of all sessions, oldest first, and what became of those answered here.
//
//   Owns:          which cards there are, their phases, what they need to be shown.
//   Does not own:  how they look (card.tsx), the engine's rules.
//
// B1. A card never leaves by itself: one that needs no answer any more is greyed, with the reason, until it is put away.
// B2. An answer counts as given once the engine's commit says so, and as confirmed once the agent was seen to obey.

import type { StateChange } from "../../../../runtime/changes.ts";
import type { ApprovalView } from "../../../../runtime/views.ts";
import type { CallAnswer } from "../../../../runtime/queries.ts";
import { ApiError, ask, send } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import { Value } from "../engine/value.ts";

export interface Reply {
  readonly decision: "approve" | "deny";
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly updatedInput?: unknown;
}

export type Phase =
  | { readonly is: "open"; readonly failure?: ApiError }
  | { readonly is: "sending"; readonly reply: Reply }
  | { readonly is: "committed"; readonly reply: Reply; readonly seen?: "obeyed" | "ran anyway" }
  | { readonly is: "gone"; readonly why: string };

export interface Card {
  readonly approval: ApprovalView;
  readonly phase: Phase;
  readonly call?: CallAnswer;
}

export interface Inbox {
  readonly isLoaded: boolean;
  readonly cards: readonly Card[];
  /** There are older pages than those shown. */
  readonly hasMore: boolean;
  readonly failure?: ApiError;
}

const CARDS_MAX = 100;
/** With fewer open than this, those behind them are asked for. */
const CARDS_MIN = 20;

export const inbox = new Value<Inbox>({ isLoaded: false, cards: [], hasMore: false });

export const isOpen = ({ phase }: Card): boolean => phase.is === "open";

export function startInbox(): void {
  follow.onResync(() => void load());
  follow.onChanges((changes) => {
    for (const change of changes) take(change);
  });
  void load();
}

let isLoading = false;
let isOutdated = false;

/** One at a time; what is asked for meanwhile is asked for once more. */
async function load(): Promise<void> {
  isOutdated = isLoading;
  if (isLoading) return;
  isLoading = true;
  await readPage();
  isLoading = false;
  if (isOutdated) await load();
}

async function readPage(): Promise<void> {
  try {
    const list = { state: "pending", order: "oldest", limit: CARDS_MAX };
    const page = await ask<{ items: readonly ApprovalView[]; nextCursor?: string }>("/v1/approvals", list);
    const pending = new Map(page.items.map((approval) => [approval.id as string, approval]));
    const newest = page.nextCursor === undefined ? undefined : page.items.at(-1)?.askedAt;
    const kept = inbox.get().cards.map((card) => settled(card, pending, newest));
    const known = new Set(kept.map(({ approval }) => approval.id as string));
    const fresh = page.items.filter(({ id }) => !known.has(id));
    inbox.set({
      isLoaded: true,
      cards: sorted([...kept, ...fresh.map((approval): Card => ({ approval, phase: { is: "open" } }))]),
      hasMore: page.nextCursor !== undefined,
    });
    for (const { approval, call } of inbox.get().cards) if (!call) void fill(approval.id);
  } catch (error) {
    if (error instanceof ApiError) inbox.set({ ...inbox.get(), isLoaded: true, failure: error });
    else throw error;
  }
}

/**
 * A card asked for again: it may have been answered while nothing was heard.
 * @param newest when the last question of the page was asked, where there are more behind it.
 */
function settled(card: Card, pending: ReadonlyMap<string, ApprovalView>, newest: number | undefined): Card {
  const approval = pending.get(card.approval.id);
  if (approval) return { ...card, approval: { ...card.approval, ...approval } };
  if (card.phase.is === "gone" || card.phase.is === "committed") return card;
  if (newest !== undefined && card.approval.askedAt >= newest) return card;
  return { ...card, phase: { is: "gone", why: "It was answered or withdrawn while this page was away." } };
}

function take(change: StateChange): void {
  if (change.entity === "approval") {
    // The view of a change of an approval is an approval's (runtime/changes).
    takeApproval(change, change.view as ApprovalView);
  } else confirm(change);
}

function takeApproval({ id, to }: StateChange, approval: ApprovalView): void {
  const known = inbox.get().cards.some((card) => card.approval.id === id);
  if (!known) {
    if (to === "pending") arrive(approval);
    return;
  }
  change(id, (card) => {
    const next = { ...card, approval: { ...card.approval, ...approval } };
    const isMine = card.phase.is === "sending" || card.phase.is === "committed";
    if (isMine && (to === "approved" || to === "denied")) return next;
    const why = reasonOf(to, approval);
    return why === undefined ? next : { ...next, phase: { is: "gone", why } };
  });
}

/** One behind those that are not shown yet waits with them. */
function arrive(approval: ApprovalView): void {
  const { cards, hasMore } = inbox.get();
  if (hasMore || cards.filter(isOpen).length >= CARDS_MAX) {
    inbox.set({ ...inbox.get(), hasMore: true });
    return;
  }
  put(sorted([...cards, { approval, phase: { is: "open" } }]));
  void fill(approval.id);
}

function reasonOf(to: string, { by, outcome }: ApprovalView): string | undefined {
  if (to === "approved") return `Approved by ${by ?? "somebody else"}.`;
  if (to === "denied") return `Denied by ${by ?? "somebody else"}.`;
  if (to === "expired") return "Nobody answered in time.";
  if (to !== "withdrawn") return undefined;
  if (outcome === "approved" || outcome === "denied") return `Answered elsewhere: ${outcome}.`;
  return "Withdrawn: the agent does not wait for an answer any more.";
}

/** B2. Who denies hears of it by what the agent says of the call, or by the end of its request without it. */
function confirm({ entity, id, to, view }: StateChange): void {
  for (const { approval, phase, call } of inbox.get().cards) {
    if (phase.is !== "committed" || phase.seen !== undefined) continue;
    const isCall = entity === "toolcall" && approval.callId === id;
    const isRequest = entity === "request" && call?.requestId === id;
    if (!isCall && !isRequest) continue;
    const isOver = to === "completed" || to === "failed" || (isRequest && to === "cancelled");
    const isDenial = phase.reply.decision === "deny";
    // The view of a change of a call is a call's (runtime/changes).
    const ranAnyway = isCall && isDenial && (view as CallAnswer).executedAfterDenial;
    const isSeen = isDenial ? (isCall ? to === "annotated" : isOver) : isCall && isOver;
    if (isSeen)
      change(approval.id, (it) => ({
        ...it,
        phase: { ...phase, seen: ranAnyway ? "ran anyway" : "obeyed" },
      }));
  }
}

/** The whole input and the call: a change has the short form. */
async function fill(id: string): Promise<void> {
  try {
    const approval = await ask<ApprovalView>(`/v1/approvals/${id}`);
    change(id, (card) => ({ ...card, approval: { ...card.approval, ...approval } }));
    const { callId, workspace, sessionId } = approval;
    if (callId === undefined) return;
    const call = await ask<CallAnswer>(`/v1/tool-calls/${callId}`, { workspace, session: sessionId });
    change(id, (card) => ({ ...card, call }));
    put(sorted(inbox.get().cards));
  } catch (error) {
    // What cannot be read now is shown without it; the card says what it has.
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Sends an answer; what became of it is in the card's phase. */
export async function answer(id: string, reply: Reply): Promise<void> {
  const card = inbox.get().cards.find(({ approval }) => approval.id === id);
  if (!card || !isOpen(card)) return;
  change(id, (it) => ({ ...it, phase: { is: "sending", reply } }));
  try {
    const { inputHash } = card.approval as { inputHash?: string };
    await send(`/v1/approvals/${id}/decision`, { ...reply, ...(inputHash !== undefined && { inputHash }) });
    change(id, (it) => ({ ...it, phase: { is: "committed", reply } }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    change(id, (it) => (it.phase.is === "gone" ? it : { ...it, phase: { is: "open", failure: error } }));
    void fill(id);
  }
}

/** Open questions of one tool about the very same input. */
export function alike({ approval }: Card): readonly Card[] {
  const { tool, inputHash } = approval as { tool: string; inputHash?: string };
  if (inputHash === undefined) return [];
  return inbox.get().cards.filter((card) => {
    const other = card.approval as { tool: string; inputHash?: string };
    return isOpen(card) && other.tool === tool && other.inputHash === inputHash;
  });
}

/** Puts away what needs no answer any more. */
export function clear(): void {
  put(inbox.get().cards.filter(({ phase }) => phase.is === "open" || phase.is === "sending"));
}

function change(id: string, next: (card: Card) => Card): void {
  put(inbox.get().cards.map((card) => (card.approval.id === id ? next(card) : card)));
}

function put(cards: readonly Card[]): void {
  inbox.set({ ...inbox.get(), cards });
  if (!isLoading && inbox.get().hasMore && cards.filter(isOpen).length < CARDS_MIN) void load();
}

const sorted = (cards: readonly Card[]): readonly Card[] => cards.toSorted(inOrder);

/** Oldest first; of one session's questions asked at the same time, that of the earlier call. */
function inOrder({ approval: a, call: one }: Card, { approval: b, call: other }: Card): number {
  return (
    a.askedAt - b.askedAt ||
    a.workspace.localeCompare(b.workspace, "en") ||
    a.sessionId.localeCompare(b.sessionId, "en") ||
    (one?.batchId ?? "").localeCompare(other?.batchId ?? "", "en", { numeric: true }) ||
    (one?.index ?? 0) - (other?.index ?? 0)
  );
}

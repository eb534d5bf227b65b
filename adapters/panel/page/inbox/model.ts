// Inbox model
// The pending approvals of all sessions, oldest first, and the outcome of those that were answered here.
//
//   Owns:          which cards there are, their phases, what is read for them.
//   Does not own:  how a card looks (card.tsx), the order (order.ts), what changes of calls do to a card (heard.ts),
//                  approvals not shown yet (arrivals.ts), the engine's rules.
//
// The page holds at most a hundred pending approvals. One request reads them, with their calls and sessions.
//
// INBOX-MODEL-1. A card never leaves by itself: one that no longer needs an answer turns grey, with the reason, until a
//     person puts it away. Of more than a hundred grey cards, those of the oldest approvals are put away automatically.
// INBOX-MODEL-2. An answer carries the hash of the input that the person saw. If the approval has another input by
//     then, the answer is not sent (SEEN-1).

import type { Reply, Card, Phase } from "./card/card.ts";
import { defined } from "../../../../machines/defined.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { WithPeers } from "../../../../runtime/peers/peers.ts";
import type { Page } from "../../../../runtime/reading/paging.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import type { CompanionViews } from "../../../../runtime/reading/companions.ts";
import { isOutOfReach } from "../../../../runtime/channels.ts";
import { after } from "../engine/after.ts";
import { ApiError, ask, refusal, refusalOf, send } from "../engine/api.ts";
import { may } from "../engine/me.ts";
import { follow, knowSession } from "../engine/engine.ts";
import { Value } from "../engine/value.ts";
import { missingIn } from "../parts/missing.tsx";
import { Arrivals } from "./arrivals.ts";
import { confirmed, reasonOf, settled, withCard, withMoreOfCall, withoutCall, withView } from "./heard.ts";
import { keyOf, keyOfCard, type Place, type Spot } from "./name.ts";
import { sorted } from "./order.ts";
import { drawnOf } from "./seen/drawn.ts";
import { mayAnswer, type Seen } from "./seen/seen.ts";

export interface Inbox extends WithPeers {
  readonly isLoaded: boolean;
  readonly cards: readonly Card[];
  /** True if the engine has more pending approvals than are shown. */
  readonly hasMore: boolean;
  readonly failure?: ApiError;
}

type ListedApproval = ApprovalView & CompanionViews;

const CARDS_MAX = 100;
/** How many answered cards are kept. */
const SETTLED_MAX = 100;
const WITH = "call,session";
const AGAIN_MS = 5_000;
/** With fewer open cards than this, the next pending approvals are read. */
const CARDS_MIN = 20;

export const inbox = new Value<Inbox>({ isLoaded: false, cards: [], hasMore: false });

export const isOpen = ({ phase }: Card): boolean => phase.is === "open";

export function startInbox(): void {
  follow.onResync(() => void load());
  follow.onChanges(take);
  void load();
}

let isLoading = false;
let isOutdated = false;

/** Reads the list, once at a time; calls that come meanwhile are served by one more reading. */
async function load(): Promise<void> {
  isOutdated = isLoading;
  if (isLoading) return;
  isLoading = true;
  await readPage();
  isLoading = false;
  if (isOutdated) await load();
}

async function readPage(): Promise<void> {
  overtaken.clear();
  try {
    // The engine's list may still contain approvals whose answers are on their way.
    const sending = inbox
      .get()
      .cards.filter(({ phase }) => phase.is === "sending" || phase.is === "held").length;
    const list = { state: "pending", order: "oldest", limit: CARDS_MAX + sending, with: WITH };
    const page = await ask<Page<ListedApproval> & WithPeers>("/v1/approvals", list);
    // The list lacks an engine that may only have been late this time, so the page soon reads the list again.
    if (page.partial) after(AGAIN_MS, () => void load());
    const pending = new Map(page.items.map((approval) => [keyOf(approval), cardOf(approval)]));
    const newest = page.nextCursor === undefined ? undefined : page.items.at(-1)?.askedAt;
    const kept = inbox.get().cards.map((card) => settled(card, pending, newest, page.partial));
    const known = new Set(kept.map(keyOfCard));
    const fresh = [...pending].filter(([key]) => !known.has(key) && !overtaken.has(key));
    inbox.set({
      isLoaded: true,
      cards: sorted([...kept, ...fresh.map(([, card]) => card)]),
      hasMore: page.nextCursor !== undefined,
      ...defined({ partial: page.partial }),
    });
  } catch (error) {
    inbox.set({ ...inbox.get(), isLoaded: true, failure: refusal(error) });
  }
}

function cardOf({ call, session, ...approval }: ListedApproval): Card {
  if (session) knowSession(session);
  const { cwd, title } = session ?? {};
  return {
    approval,
    phase: { is: "open" },
    ...defined({ call, title, cwd }),
  };
}

function take(changes: readonly StateChange[]): void {
  let { cards } = inbox.get();
  for (const change of changes) {
    if (change.entity === "toolcall") {
      for (const { approval } of withoutCall(cards, change)) void readWhole(approval);
      cards = withMoreOfCall(cards, change);
    }
    if (change.entity !== "approval") cards = confirmed(cards, change);
    // The cast is safe: the view in an approval's change is an approval's view (runtime/rows/changes).
    else cards = takeApproval(cards, change, change.view as ApprovalView);
  }
  if (cards !== inbox.get().cards) put(cards);
  // Changes of calls come last: the changes before may have shown a card that a call's change belongs to.
  for (const change of changes) if (change.entity === "toolcall") arrivals.hear(change);
}

/** Applies a change of an approval by the state it led to, whatever the change is called. */
function takeApproval(cards: readonly Card[], change: StateChange, approval: ApprovalView): readonly Card[] {
  const { state } = approval;
  const key = keyOf(change);
  if (!cards.some((card) => keyOfCard(card) === key)) {
    if (state === "pending") void arrive(approval);
    else {
      arrivals.drop(key);
      overtaken.add(key);
    }
    return cards;
  }
  return withCard(cards, key, (card) => {
    const next = withView(card, approval);
    const isMine = card.phase.is === "sending" || card.phase.is === "committed";
    if (isMine && (state === "approved" || state === "denied")) return next;
    const why = reasonOf(approval);
    return why === undefined ? next : { ...next, phase: { is: "gone", why } };
  });
}

/** Keys of approvals that were answered while the list was read: the answer may still contain them. */
const overtaken = new Set<string>();

/** Cards that are not shown yet. An approval that is answered meanwhile is never shown. */
const arrivals = new Arrivals({
  after,
  ask: async (approval) => {
    const found = await listedApproval(approval);
    return found && cardOf(found);
  },
  show: (card) => {
    const { cards } = inbox.get();
    if (!cards.some((each) => keyOfCard(each) === keyOfCard(card))) put(sorted([...cards, card]));
  },
  // A card that was answered meanwhile stays answered, even if the engine's answer is older.
  renew: (card) => {
    if (inbox.get().cards.some((each) => keyOfCard(each) === keyOfCard(card) && isOpen(each))) renew(card);
  },
});

/**
 * Shows a newly heard approval once it is read in full. If the page is full, it is shown later, unless a link asks for
 * it.
 */
export async function arrive(approval: ApprovalView, isSought = false): Promise<void> {
  const { cards, hasMore } = inbox.get();
  const isFull = hasMore || cards.filter(isOpen).length + arrivals.size >= CARDS_MAX;
  if (!isSought && isFull && !arrivals.has(keyOf(approval))) inbox.set({ ...inbox.get(), hasMore: true });
  else await arrivals.add(approval, isSought);
}

/** An approval in full; undefined if it cannot be read now: its card then shows what is known. */
async function listedApproval({ workspace, id }: Place): Promise<ListedApproval | undefined> {
  const asked = ask<ListedApproval>(`/v1/approvals/${id}`, { workspace, with: WITH });
  return (await refusalOf(asked)) ? undefined : asked;
}

/** Reads the whole input: for a long input, a list has only its length. */
export async function readWhole(place: Place): Promise<void> {
  const found = await listedApproval(place);
  if (!found) return;
  renew(cardOf(found));
}

/** Updates a card that is shown with what was read. */
function renew({ approval, call }: Card): void {
  const why = reasonOf(approval);
  change(keyOf(approval), (card) => ({
    ...withView(card, approval),
    ...defined({ call }),
    // The change that settled the approval may have come before the engine refused the answer given here.
    ...(why !== undefined && isOpen(card) && { phase: { is: "gone", why } }),
  }));
}

const CHANGED = new ApiError(
  0,
  "CHANGED",
  "The approval has changed since you saw it: your answer was not sent.",
  "Look at the approval, and answer again.",
);

/** Sends an answer; the card's phase shows its outcome. */
export async function answer(seen: Seen, reply: Reply): Promise<void> {
  const { workspace, id, hash: inputHash } = seen;
  const key = keyOf(seen);
  const card = inbox.get().cards.find((each) => keyOfCard(each) === key);
  if (!card || !isOpen(card) || !canAnswer(card)) return;
  if (!mayAnswer(seen, drawnOf(card), reply.decision)) {
    setPhase(seen, { is: "open", failure: CHANGED });
    return;
  }
  change(key, (it) => ({ ...it, phase: { is: "sending", reply } }));
  try {
    const said = { ...reply, via: "panel", ...defined({ inputHash }) };
    const told = await send<{ readonly result?: string }>(`/v1/approvals/${id}/decision`, said, {
      workspace,
    });
    const isOver = told.result !== "counted";
    change(key, (it) => ({ ...it, phase: isOver ? { is: "committed", reply } : { is: "open" } }));
  } catch (error) {
    const failure = refusal(error);
    change(key, (it) => (it.phase.is === "gone" ? it : { ...it, phase: { is: "open", failure } }));
    void readWhole(card.approval);
  }
}

/** True if an answer given here reaches the agent (CHANNELS-1), and the token of the page permits to decide. */
export const canAnswer = ({ approval }: Card): boolean => !isOutOfReach(approval) && may("decide");

/** False if the input cannot be shown: nobody approves an input that cannot be seen, and the engine refuses that, too. */
export const canApprove = (card: Card): boolean =>
  canAnswer(card) &&
  (card.approval as Alike).inputHash !== undefined &&
  missingIn(card.approval) === undefined;

/** The open approvals that can be approved and have the same workspace, folder, tool and input as this one. */
export function alike(one: Card): readonly Card[] {
  const { workspace, tool, inputHash } = one.approval as Alike;
  if (!canApprove(one)) return [one];
  return inbox.get().cards.filter((card) => {
    const other = card.approval as Alike;
    const isNear = other.workspace === workspace && other.tool === tool && card.cwd === one.cwd;
    return isOpen(card) && isNear && other.inputHash === inputHash && canApprove(card);
  });
}

interface Alike {
  readonly workspace: string;
  readonly tool: string;
  readonly inputHash?: string;
}

/** Puts away all cards that need no answer any more. */
export function clear(): void {
  put(inbox.get().cards.filter(({ phase }) => phase.is !== "committed" && phase.is !== "gone"));
}

/** Sets how far the answer to an approval has got. */
export const setPhase = (place: Spot, phase: Phase): void =>
  change(keyOf(place), (card) => ({ ...card, phase }));

function change(key: string, next: (card: Card) => Card): void {
  put(withCard(inbox.get().cards, key, next));
}

function put(cards: readonly Card[]): void {
  inbox.set({ ...inbox.get(), cards: bounded(cards) });
  if (!isLoading && inbox.get().hasMore && cards.filter(isOpen).length < CARDS_MIN) void load();
}

/** Drops the oldest grey cards, if there are too many (INBOX-MODEL-1). */
function bounded(cards: readonly Card[]): readonly Card[] {
  const isSettled = ({ phase }: Card): boolean => phase.is === "committed" || phase.is === "gone";
  let over = cards.filter(isSettled).length - SETTLED_MAX;
  return over <= 0 ? cards : cards.filter((card) => !isSettled(card) || over-- <= 0);
}

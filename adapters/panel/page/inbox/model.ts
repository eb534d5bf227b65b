// Inbox model
// The data of the inbox: the pending approvals of all sessions, oldest first, and the outcome of those answered on this page.
//
//   Owns:          which cards there are, the phase of each card, what is read from the engine for the cards.
//   Does not own:  the order on the page (order.ts), updating cards (heard.ts), approvals that have no card yet (arrivals.ts),
//                  sending answers (sending.ts).
//
// INBOX-MODEL-1. When an approval needs no answer any more, its card does not disappear: the card turns grey, shows the reason,
//     and stays until a person puts it away. If there are more than a hundred grey cards, those of the oldest approvals are put
//     away automatically.
// INBOX-MODEL-2. A change that comes while the page reads the list overrides the list, because the engine may have made the list
//     before the change. An approval that is requested meanwhile is shown if fewer than a hundred open cards are shown.

import type { Card, Phase } from "./card/card.ts";
import { defined } from "../../../../machines/defined.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { WithPeers } from "../../../../runtime/peers/peers.ts";
import type { Page } from "../../../../runtime/reading/paging.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import type { CompanionViews } from "../../../../runtime/reading/companions.ts";
import { isOutOfReach } from "../../../../runtime/channels.ts";
import { after } from "../engine/after.ts";
import { type ApiError, ask, refusal, refusalOf } from "../engine/api.ts";
import { may } from "../engine/me.ts";
import { follow, knowSession } from "../engine/engine.ts";
import { Value } from "../engine/value.ts";
import { Arrivals } from "./arrivals.ts";
import {
  confirmed,
  isOver,
  reasonOf,
  settled,
  withCard,
  withMoreOfCall,
  withoutCall,
  withRead,
  withView,
} from "./heard.ts";
import { keyOf, keyOfCard, type Spot } from "./name.ts";
import { sorted } from "./order.ts";

export interface Inbox extends WithPeers {
  readonly isLoaded: boolean;
  readonly cards: readonly Card[];
  /** True if the engine has more pending approvals than are shown. */
  readonly hasMore: boolean;
  readonly failure?: ApiError;
}

type ListedApproval = ApprovalView & CompanionViews;

const CARDS_MAX = 100;
const SETTLED_MAX = 100;
const WITH = "call,session";
const AGAIN_MS = 5_000;
/** With fewer open cards than this, the page reads the list again if the engine has more pending approvals. */
const CARDS_MIN = 20;

export const inbox = new Value<Inbox>({ isLoaded: false, cards: [], hasMore: false });

export const isOpen = ({ phase }: Card): boolean => phase.is === "open";

export const cardAt = (spot: Spot): Card | undefined =>
  inbox.get().cards.find((card) => keyOfCard(card) === keyOf(spot));

/** The card of an approval that waits, if the person may answer it and the answer can reach the agent. */
export function answerable(spot: Spot): Card | undefined {
  const card = cardAt(spot);
  return card && isOpen(card) && canAnswer(card) ? card : undefined;
}

export function startInbox(): void {
  follow.onResync(() => void load());
  follow.onChanges(take);
  void load();
}

let isLoading = false;
let isOutdated = false;
let cancelAgain = (): void => undefined;

/** The approvals in changes that came since the reading of the list began, each as its last change showed it (INBOX-MODEL-2). */
const since = new Map<string, ApprovalView>();

function loadSoon(): void {
  cancelAgain();
  cancelAgain = after(AGAIN_MS, () => void load());
}

/** Reads the list, once at a time; if `load` is called meanwhile, the list is read once more. */
async function load(): Promise<void> {
  isOutdated = isLoading;
  if (isLoading) return;
  isLoading = true;
  await readPage();
  isLoading = false;
  if (isOutdated) await load();
}

async function readPage(): Promise<void> {
  since.clear();
  try {
    // The engine's list may still contain approvals whose answers are on their way, so the page asks for as many more approvals.
    const sending = inbox
      .get()
      .cards.filter(({ phase }) => phase.is === "sending" || phase.is === "held").length;
    const list = { state: "pending", order: "oldest", limit: CARDS_MAX + sending, with: WITH };
    const page = await ask<Page<ListedApproval> & WithPeers>("/v1/approvals", list);
    // `partial` names other engines whose approvals are missing. They may only be slow, so the page soon reads the list again.
    if (page.partial) loadSoon();
    const pending = new Map(page.items.map((approval) => [keyOf(approval), cardOf(approval)]));
    const newest = page.nextCursor === undefined ? undefined : page.items.at(-1)?.askedAt;
    const kept = inbox
      .get()
      .cards.map((card) =>
        since.has(keyOfCard(card)) ? card : settled(card, pending, newest, page.partial),
      );
    const known = new Set(kept.map(keyOfCard));
    const isEnded = (key: string): boolean => (since.get(key)?.state ?? "pending") !== "pending";
    const fresh = [...pending].filter(([key]) => !known.has(key) && !isEnded(key));
    inbox.set({
      isLoaded: true,
      cards: sorted([...kept, ...fresh.map(([, card]) => card)]),
      hasMore: page.nextCursor !== undefined,
      ...defined({ partial: page.partial }),
    });
    // An approval that was requested during the reading may have come while a hundred open cards were shown, and got no card. The
    // new list may have fewer, so the page tries again.
    for (const [key, approval] of since)
      if (!isEnded(key) && !cardAt(approval) && !arrivals.has(key)) void arrive(approval);
  } catch (error) {
    inbox.set({ ...inbox.get(), isLoaded: true, failure: refusal(error) });
    loadSoon();
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
  // Calls come last: `arrivals` must first get the new approvals, to which these changed calls may belong.
  for (const change of changes) if (change.entity === "toolcall") arrivals.hear(change);
}

function takeApproval(cards: readonly Card[], change: StateChange, approval: ApprovalView): readonly Card[] {
  const { state } = approval;
  const key = keyOf(change);
  if (isLoading) since.set(key, approval);
  if (!cards.some((card) => keyOfCard(card) === key)) {
    if (state === "pending") void arrive(approval);
    else arrivals.drop(key);
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

/** Cards that are not shown yet. If an approval is answered before its card is shown, the card is never shown. */
const arrivals = new Arrivals({
  after,
  ask: async (approval) => {
    const found = await listedApproval(approval);
    return found && cardOf(found);
  },
  show: (card) => {
    if (!cardAt(card.approval)) put(sorted([...inbox.get().cards, card]));
  },
  // A card that was answered meanwhile stays answered, even if the engine's answer is older.
  renew: (card) => {
    const shown = cardAt(card.approval);
    if (shown && isOpen(shown)) renew(card);
  },
});

/** Reads an approval in full and shows it. With a hundred open cards, it shows only an approval that a link names. */
export async function arrive(approval: ApprovalView, isSought = false): Promise<void> {
  const { cards, hasMore } = inbox.get();
  const isFull = hasMore || cards.filter(isOpen).length + arrivals.size >= CARDS_MAX;
  if (!isSought && isFull && !arrivals.has(keyOf(approval))) inbox.set({ ...inbox.get(), hasMore: true });
  else await arrivals.add(approval, isSought);
}

/** Reads an approval in full. @returns undefined if the approval cannot be read now: its card then shows what is known. */
async function listedApproval({ workspace, id }: Spot): Promise<ListedApproval | undefined> {
  const asked = ask<ListedApproval>(`/v1/approvals/${id}`, { workspace, with: WITH });
  return (await refusalOf(asked)) ? undefined : asked;
}

/** Reads the whole input: for a long input, a list has only its length. @returns true if the approval could be read. */
export async function readWhole(place: Spot): Promise<boolean> {
  const found = await listedApproval(place);
  if (found) renew(cardOf(found));
  return found !== undefined;
}

function renew({ approval, call }: Card): void {
  change(keyOf(approval), (card) => {
    const next = withRead(card, approval, call);
    const why = reasonOf(next.approval);
    // Only an open card becomes gone here. After a refused answer the card is read again (sending.ts): if a change ended the
    // approval before, the card is gone already, and keeps the reason that it shows.
    return why !== undefined && isOpen(card) ? { ...next, phase: { is: "gone", why } } : next;
  });
}

/** True if an answer given in the panel reaches the agent (CHANNELS-1), and the token of the page permits to decide. */
export const canAnswer = ({ approval }: Card): boolean => !isOutOfReach(approval) && may("decide");

/** False if the input cannot be shown: nobody may approve what cannot be seen, and the engine refuses such an approval, too. */
export const canApprove = (card: Card): boolean =>
  canAnswer(card) && card.approval.inputHash !== undefined && card.approval.inputMissing === undefined;

/** The open approvals that can be approved and have the same workspace, folder, tool and input as the given one. */
export function alike(one: Card): readonly Card[] {
  const { workspace, tool, inputHash } = one.approval;
  if (!canApprove(one)) return [one];
  return inbox.get().cards.filter((card) => {
    const other = card.approval;
    const isNear = other.workspace === workspace && other.tool === tool && card.cwd === one.cwd;
    return isOpen(card) && isNear && other.inputHash === inputHash && canApprove(card);
  });
}

export function clear(): void {
  put(inbox.get().cards.filter((card) => !isOver(card)));
}

export const setPhase = (place: Spot, phase: Phase): void =>
  change(keyOf(place), (card) => ({ ...card, phase }));

/** @param key the card's key (name.ts). */
export function change(key: string, next: (card: Card) => Card): void {
  put(withCard(inbox.get().cards, key, next));
}

function put(cards: readonly Card[]): void {
  inbox.set({ ...inbox.get(), cards: bounded(cards) });
  if (!isLoading && inbox.get().hasMore && cards.filter(isOpen).length < CARDS_MIN) void load();
}

/** INBOX-MODEL-1. If more than `SETTLED_MAX` cards are grey (need no answer any more), drops the first ones. */
function bounded(cards: readonly Card[]): readonly Card[] {
  let over = cards.filter(isOver).length - SETTLED_MAX;
  return over <= 0 ? cards : cards.filter((card) => !isOver(card) || over-- <= 0);
}

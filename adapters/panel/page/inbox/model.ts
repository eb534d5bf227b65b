// Inbox model
// The pending approvals of all sessions, oldest first, and what became of those answered here.
//
//   Owns:          which cards there are, their phases, what they need to be shown.
//   Does not own:  how they look (card.tsx), their order (order.ts), what calls say of them (heard.ts),
//                  those that are not shown yet (arrivals.ts), the engine's rules.
//
// However many wait, a hundred are known here: one request has them all, with their calls and sessions.
//
// INBOX-MODEL-1. A card never leaves by itself: one that no longer needs an answer turns grey, with the reason, until a
//     person puts it away. Of more than a hundred such cards, the oldest approvals are put away automatically.
// INBOX-MODEL-2. An answer goes out with the hash of the input that was seen, and not at all once there is another (SEEN-1).

import type { Reply, Card, Phase } from "./card/card.ts";
import { defined } from "../../../../machines/defined.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import type { CompanionViews } from "../../../../runtime/reading/companions.ts";
import { isWatched } from "../../../../runtime/channels.ts";
import { after } from "../engine/after.ts";
import { ApiError, ask, refusal, refusalOf, send } from "../engine/api.ts";
import { may } from "../engine/me.ts";
import { follow, knowSession } from "../engine/engine.ts";
import { Value } from "../engine/value.ts";
import { missingIn } from "../parts/missing.tsx";
import { Arrivals } from "./arrivals.ts";
import { confirmed, reasonOf, withCard, withMoreOfCall, withoutCall } from "./heard.ts";
import { keyOf, keyOfCard, type Place, type Spot } from "./name.ts";
import { sorted } from "./order.ts";
import { drawnOf } from "./seen/drawn.ts";
import { mayAnswer, type Seen } from "./seen/seen.ts";

export interface Inbox {
  readonly isLoaded: boolean;
  readonly cards: readonly Card[];
  /** There are older pages than those shown. */
  readonly hasMore: boolean;
  readonly failure?: ApiError;
}

type ListedApproval = ApprovalView & CompanionViews;

const CARDS_MAX = 100;
/** Cards that need no answer any more. */
const SETTLED_MAX = 100;
const WITH = "call,session";
/** With fewer open than this, those behind them are asked for. */
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

/** Loads the list, once at a time; a request that comes meanwhile is served by one more load. */
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
    // Cards whose answers are being sent may still be in the list.
    const sending = inbox
      .get()
      .cards.filter(({ phase }) => phase.is === "sending" || phase.is === "held").length;
    const list = { state: "pending", order: "oldest", limit: CARDS_MAX + sending, with: WITH };
    const page = await ask<{ items: readonly ListedApproval[]; nextCursor?: string }>("/v1/approvals", list);
    const pending = new Map(page.items.map((approval) => [keyOf(approval), cardOf(approval)]));
    const newest = page.nextCursor === undefined ? undefined : page.items.at(-1)?.askedAt;
    const kept = inbox.get().cards.map((card) => settled(card, pending, newest));
    const known = new Set(kept.map(keyOfCard));
    const fresh = [...pending].filter(([key]) => !known.has(key) && !overtaken.has(key));
    inbox.set({
      isLoaded: true,
      cards: sorted([...kept, ...fresh.map(([, card]) => card)]),
      hasMore: page.nextCursor !== undefined,
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

/**
 * A card asked for again: it may have been answered while nothing was heard.
 * @param newest when the last approval of the page was asked, where there are more behind it.
 */
function settled(card: Card, pending: ReadonlyMap<string, Card>, newest: number | undefined): Card {
  const found = pending.get(keyOfCard(card));
  if (found)
    return {
      ...card,
      ...defined({ call: found.call }),
      approval: { ...card.approval, ...found.approval },
    };
  if (card.phase.is === "gone" || card.phase.is === "committed") return card;
  if (newest !== undefined && card.approval.askedAt >= newest) return card;
  return { ...card, phase: { is: "gone", why: "It was answered or withdrawn while this page was away." } };
}

function take(changes: readonly StateChange[]): void {
  let { cards } = inbox.get();
  for (const change of changes) {
    if (change.entity === "toolcall") {
      for (const { approval } of withoutCall(cards, change)) void readWhole(approval);
      cards = withMoreOfCall(cards, change);
    }
    if (change.entity !== "approval") cards = confirmed(cards, change);
    // The view in an approval's change is an approval's view (runtime/changes).
    else cards = takeApproval(cards, change, change.view as ApprovalView);
  }
  if (cards !== inbox.get().cards) put(cards);
  // These come last: a card that the first changes released is put beside those that they changed.
  for (const change of changes) if (change.entity === "toolcall") arrivals.hear(change);
}

/** Takes in an approval's change by its state, whatever the change is called. */
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
    const next = { ...card, approval: { ...card.approval, ...approval } };
    const isMine = card.phase.is === "sending" || card.phase.is === "committed";
    if (isMine && (state === "approved" || state === "denied")) return next;
    const why = reasonOf(approval);
    return why === undefined ? next : { ...next, phase: { is: "gone", why } };
  });
}

/** Answered while a list was asked for: it may still have them. */
const overtaken = new Set<string>();

/** Cards that are not shown yet. One that is answered meanwhile is never shown. */
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
  // A card that was answered meanwhile stays answered, whatever an older answer of the engine says.
  renew: (card) => {
    if (inbox.get().cards.some((each) => keyOfCard(each) === keyOfCard(card) && isOpen(each))) renew(card);
  },
});

/** Shown once it is whole, at the place where it stays. One behind those shown waits with them, unless it is sought. */
export async function arrive(approval: ApprovalView, isSought = false): Promise<void> {
  const { cards, hasMore } = inbox.get();
  const isFull = hasMore || cards.filter(isOpen).length + arrivals.size >= CARDS_MAX;
  if (!isSought && isFull && !arrivals.has(keyOf(approval))) inbox.set({ ...inbox.get(), hasMore: true });
  else await arrivals.add(approval, isSought);
}

/** The whole of an approval; undefined where it cannot be read now: it is shown by what is known of it. */
async function listedApproval({ workspace, id }: Place): Promise<ListedApproval | undefined> {
  const asked = ask<ListedApproval>(`/v1/approvals/${id}`, { workspace, with: WITH });
  return (await refusalOf(asked)) ? undefined : asked;
}

/** Reads the whole input, of which a list has the length only where it is long. */
export async function readWhole(place: Place): Promise<void> {
  const found = await listedApproval(place);
  if (!found) return;
  renew(cardOf(found));
}

/** What more is known of a card that is shown. */
function renew({ approval, call }: Card): void {
  const why = reasonOf(approval);
  change(keyOf(approval), (card) => ({
    ...card,
    approval: { ...card.approval, ...approval },
    ...defined({ call }),
    // Its change may have come before the engine refused the answer given here.
    ...(why !== undefined && isOpen(card) && { phase: { is: "gone", why } }),
  }));
}

const CHANGED = new ApiError(
  0,
  "CHANGED",
  "It has changed since you saw it: your answer was not sent.",
  "Look at it, and answer again.",
);

/** Sends an answer; what became of it is in the card's phase. */
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

/** An answer given here reaches whoever asks (CHANNELS-1), and whoever looks may give one. */
export const canAnswer = ({ approval }: Card): boolean => !isWatched(approval) && may("decide");

/** False if the input cannot be shown: nobody approves what nobody can see, and the engine refuses it, too. */
export const canApprove = (card: Card): boolean =>
  canAnswer(card) &&
  (card.approval as Alike).inputHash !== undefined &&
  missingIn(card.approval) === undefined;

/** Open approvals of one workspace, folder and tool about the very same input, which can be seen. */
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

/** Puts away what needs no answer any more. */
export function clear(): void {
  put(inbox.get().cards.filter(({ phase }) => phase.is !== "committed" && phase.is !== "gone"));
}

/** Says how far the answer to one is. */
export const setPhase = (place: Spot, phase: Phase): void =>
  change(keyOf(place), (card) => ({ ...card, phase }));

function change(key: string, next: (card: Card) => Card): void {
  put(withCard(inbox.get().cards, key, next));
}

function put(cards: readonly Card[]): void {
  inbox.set({ ...inbox.get(), cards: bounded(cards) });
  if (!isLoading && inbox.get().hasMore && cards.filter(isOpen).length < CARDS_MIN) void load();
}

/** INBOX-MODEL-1. */
function bounded(cards: readonly Card[]): readonly Card[] {
  const isSettled = ({ phase }: Card): boolean => phase.is === "committed" || phase.is === "gone";
  let over = cards.filter(isSettled).length - SETTLED_MAX;
  return over <= 0 ? cards : cards.filter((card) => !isSettled(card) || over-- <= 0);
}

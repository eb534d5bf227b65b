// Heard
// Updates the inbox's cards after changes of calls, requests and approvals, and after the list was read anew.
//
//   Owns:          which card a change is about, and what the card contains after the change.
//   Does not own:  receiving changes, which cards there are (model.ts).
//
// HEARD-1. An answer counts as given once the engine reports that it is committed, and as confirmed once a change shows that the
//     agent obeyed it. That change may come before the engine's reply to the answer.
// HEARD-2. If something becomes known about the call of an open card, above all the agent's words, the card shows that at once.
// HEARD-3. If an approval is missing from a list because its engine does not answer, the card does not say that the approval was
//     answered. If a card does say so only because a list lacked the approval, and a later list has it, the card opens again.
// HEARD-4. A newer view of an approval replaces the older one whole. A view of a long input lacks the input itself: the card
//     keeps its own input only if that has the same hash. An answer of the engine that is older than the card's view does not
//     replace the view.

import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import type { CallAnswer } from "../../../../runtime/reading/queries.ts";
import { defined } from "../../../../machines/defined.ts";
import type { ApiError } from "../engine/api.ts";
import type { Card, Phase } from "./card/card.ts";
import { keyOf, keyOfCard } from "./name.ts";

export const isOver = ({ phase }: Card): boolean => phase.is === "committed" || phase.is === "gone";

export const withCard = (cards: readonly Card[], key: string, next: (card: Card) => Card): readonly Card[] =>
  cards.map((card) => (keyOfCard(card) === key ? next(card) : card));

/** HEARD-4. The card with a newer view of its approval. */
export function withView(card: Card, approval: ApprovalView): Card {
  const { input, inputHash } = card.approval;
  const isKept = approval.inputBytes !== undefined && inputHash === approval.inputHash;
  return { ...card, approval: { ...(isKept && input !== undefined && { input }), ...approval } };
}

/** The card after its approval was read. The card may be newer, if changes came while the engine's answer was on its way. */
export function withRead(card: Card, approval: ApprovalView, call: Card["call"]): Card {
  const isLate = approval.updatedAt < card.approval.updatedAt;
  const isCallLate = card.call !== undefined && call !== undefined && call.updatedAt < card.call.updatedAt;
  return {
    // If the answer is older than the card, the card keeps its view, and only takes the answer's input if the view has none.
    ...(isLate ? withView({ ...card, approval }, card.approval) : withView(card, approval)),
    ...(!isCallLate && defined({ call })),
  };
}

/**
 * A card after the list was read anew: its approval may have been answered while no change was received.
 * @param newest when the list's last approval was requested, if the engine has more approvals than the list.
 * @param silent the engines that did not answer, so that their approvals are not in the list.
 */
export function settled(
  card: Card,
  pending: ReadonlyMap<string, Card>,
  newest: number | undefined,
  silent: readonly string[] = [],
): Card {
  const found = pending.get(keyOfCard(card));
  if (found) {
    const isBack = card.phase.is === "gone" && reasonOf(card.approval) === undefined;
    const phase = isBack ? found.phase : card.phase;
    return { ...withView(card, found.approval), phase, ...defined({ call: found.call }) };
  }
  if (isOver(card)) return card;
  if (newest !== undefined && card.approval.askedAt >= newest) return card;
  if (silent.includes(card.approval.engine ?? "")) return card;
  return {
    ...card,
    phase: { is: "gone", why: "The approval was answered or withdrawn while this page was not connected." },
  };
}

/** Where an answer was given, such as in a chat. */
const placeOf = (via: string | undefined): string => (via === undefined ? "" : ` (${via})`);

/** Why an approval needs no answer any more; undefined while it still needs one. */
export function reasonOf({ state, by, via, outcome }: ApprovalView): string | undefined {
  if (state === "approved") return `Approved by ${by ?? "somebody else"}${placeOf(via)}.`;
  if (state === "denied") return `Denied by ${by ?? "somebody else"}${placeOf(via)}.`;
  if (state === "expired") return "Nobody answered in time.";
  if (state !== "withdrawn") return undefined;
  if (outcome === "denied") return "Denied elsewhere, or along with another call.";
  if (outcome === "approved") return "Approved elsewhere.";
  return "Withdrawn: the agent no longer waits for an answer.";
}

/** The phase of a card whose approval was not answered on this page. */
export function phaseOf(approval: ApprovalView, failure?: ApiError): Phase {
  const why = reasonOf(approval);
  return why === undefined ? { is: "open", ...defined({ failure }) } : { is: "gone", why };
}

/** The open cards without a known call to which a changed call may belong: an approval may come before its call. */
export const withoutCall = (
  cards: readonly Card[],
  { workspace, sessionId, view }: StateChange,
): readonly Card[] =>
  cards.filter(
    ({ approval, phase }) =>
      phase.is === "open" &&
      approval.callId === undefined &&
      approval.workspace === workspace &&
      approval.sessionId === sessionId &&
      // The casts here and below are safe: the view in a call's change is a call's view (runtime/rows/changes).
      approval.tool === (view as CallAnswer).tool,
  );

export const isCallOf = (approval: ApprovalView, { workspace, sessionId, id }: StateChange): boolean =>
  approval.workspace === workspace && approval.sessionId === sessionId && approval.callId === id;

/** HEARD-2. Puts the newly known facts about a call on the open cards of this call. */
export function withMoreOfCall(cards: readonly Card[], change: StateChange): readonly Card[] {
  const isTold = (card: Card): boolean => card.phase.is === "open" && isCallOf(card.approval, change);
  if (!cards.some(isTold)) return cards;
  const call = { ...(change.view as CallAnswer), workspace: change.workspace };
  return cards.map((card) => (isTold(card) ? { ...card, call } : card));
}

/**
 * True if the agent has reported something about a denied call. That the call was annotated does not show this: a call is
 * annotated also when only its words are found late.
 */
const toldOfDenied = ({ annotations, permission, observed }: CallAnswer): boolean =>
  annotations.length > 0 || permission !== undefined || observed === "not-run";

/** HEARD-1. The agent's report about the call, or the end of its request, confirms a denial; the end of the call, an approval. */
export function confirmed(
  cards: readonly Card[],
  { entity, workspace, sessionId, id, to, view }: StateChange,
): readonly Card[] {
  let now = cards;
  for (const { approval, phase, call } of cards) {
    if ((phase.is !== "sending" && phase.is !== "committed") || phase.seen !== undefined) continue;
    if (approval.workspace !== workspace || approval.sessionId !== sessionId) continue;
    const isCall = entity === "toolcall" && approval.callId === id;
    const isRequest = entity === "request" && call?.requestId === id;
    if (!isCall && !isRequest) continue;
    const isOver = to === "completed" || to === "failed" || (isRequest && to === "cancelled");
    const isDenial = phase.reply.decision === "deny";
    const ranAnyway = isCall && isDenial && (view as CallAnswer).executedAfterDenial;
    const isSeen = isDenial
      ? isCall
        ? to === "annotated" && toldOfDenied(view as CallAnswer)
        : isOver
      : isCall && isOver;
    const seen = ranAnyway ? "ran anyway" : "obeyed";
    if (isSeen) now = withCard(now, keyOf(approval), (card) => ({ ...card, phase: { ...phase, seen } }));
  }
  return now;
}

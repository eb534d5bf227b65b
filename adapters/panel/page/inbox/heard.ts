// Heard
// What changes of calls, requests and approvals, and a list read anew, do to the cards of the inbox.
//
//   Owns:          which card a change is about, and the card that results.
//   Does not own:  receiving the changes, which cards there are (model.ts).
//
// HEARD-1. An answer counts as given once the engine reports its commit. It counts as confirmed once the agent was seen
//     to obey.
// HEARD-2. What becomes known of the call of an open card, above all the agent's words, is on the card at once.
// HEARD-3. An approval that a list lacks because its engine does not answer is not called answered.

import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import type { CallAnswer } from "../../../../runtime/reading/queries.ts";
import { defined } from "../../../../machines/defined.ts";
import type { Card } from "./card/card.ts";
import { keyOf, keyOfCard } from "./name.ts";

/** The cards, with the card of `key` replaced by what `next` makes of it. */
export const withCard = (cards: readonly Card[], key: string, next: (card: Card) => Card): readonly Card[] =>
  cards.map((card) => (keyOfCard(card) === key ? next(card) : card));

/** The card with a newer view of its approval. A view that is shorter leaves the input as it was. */
export const withView = (card: Card, { assigned, lastSeenAt, ...approval }: ApprovalView): Card => ({
  ...card,
  approval: { ...card.approval, ...approval, assigned, lastSeenAt },
});

/**
 * A card after the list was read anew: its approval may have been answered while no change was received.
 * @param newest when the last approval of the page was requested, if the engine has more after it.
 * @param silent the engines whose approvals are not in the list.
 */
export function settled(
  card: Card,
  pending: ReadonlyMap<string, Card>,
  newest: number | undefined,
  silent: readonly string[] = [],
): Card {
  const found = pending.get(keyOfCard(card));
  if (found) return { ...withView(card, found.approval), ...defined({ call: found.call }) };
  if (card.phase.is === "gone" || card.phase.is === "committed") return card;
  if (newest !== undefined && card.approval.askedAt >= newest) return card;
  if (silent.includes(card.approval.engine ?? "")) return card;
  return { ...card, phase: { is: "gone", why: "It was answered or withdrawn while this page was away." } };
}

/** Where an answer was given, such as in a chat, as a suffix for the sentence about it. */
const placeOf = (via: string | undefined): string => (via === undefined ? "" : ` (${via})`);

/** Why an approval needs no answer any more; undefined while it still needs one. */
export function reasonOf({ state, by, via, outcome }: ApprovalView): string | undefined {
  if (state === "approved") return `Approved by ${by ?? "somebody else"}${placeOf(via)}.`;
  if (state === "denied") return `Denied by ${by ?? "somebody else"}${placeOf(via)}.`;
  if (state === "expired") return "Nobody answered in time.";
  if (state !== "withdrawn") return undefined;
  if (outcome === "denied") return "Denied elsewhere, or with another call.";
  if (outcome === "approved") return "Approved elsewhere.";
  return "Withdrawn: the agent no longer waits for an answer.";
}

/** The open cards that a newly heard call may belong to: an approval may come before its call. */
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

/** True for a change of the call that an approval is about. */
export const isCallOf = (approval: ApprovalView, { workspace, sessionId, id }: StateChange): boolean =>
  approval.workspace === workspace && approval.sessionId === sessionId && approval.callId === id;

/** Adds what a change tells of a call to the open card of that call (HEARD-2). */
export function withMoreOfCall(cards: readonly Card[], change: StateChange): readonly Card[] {
  const isTold = (card: Card): boolean => card.phase.is === "open" && isCallOf(card.approval, change);
  if (!cards.some(isTold)) return cards;
  const call = { ...(change.view as CallAnswer), workspace: change.workspace };
  return cards.map((card) => (isTold(card) ? { ...card, call } : card));
}

/** True if the agent reported the call since the denial. Its words from before the call, found late, are no evidence. */
const toldOfDenied = ({ annotations, permission, observed }: CallAnswer): boolean =>
  annotations.length > 0 || permission !== undefined || observed === "not-run";

/**
 * HEARD-1. A denial is confirmed by what the agent reports of the call, or by the end of its request if the call did not
 * run.
 */
export function confirmed(
  cards: readonly Card[],
  { entity, workspace, sessionId, id, to, view }: StateChange,
): readonly Card[] {
  let now = cards;
  for (const { approval, phase, call } of cards) {
    if (phase.is !== "committed" || phase.seen !== undefined) continue;
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

// Lost
// Answers that could not reach the engine: once it is back, those approvals that are still pending are reported.
//
//   Owns:          asking the engine for those approvals, the words.
//   Does not own:  the cards (model.ts), the connection to the engine (engine/follow).

import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { ApiError, ask, refusalOf, UNREACHABLE } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import type { Card } from "./card/card.ts";
import { inbox, setPhase } from "./model.ts";
import { keyOf, keyOfCard, type Place } from "./name.ts";

const NOT_SAVED = new ApiError(
  0,
  "NOT_SAVED",
  "The engine could not be reached: your answer was not saved.",
  "Answer again.",
);

export function startLost(): void {
  follow.link.subscribe(() => {
    if (follow.link.get() !== "live") return;
    for (const card of inbox.get().cards) if (isLost(card)) void askAgain(card.approval);
  });
}

const isLost = ({ phase }: Card): boolean => phase.is === "open" && phase.failure?.code === UNREACHABLE;

async function askAgain(place: Place): Promise<void> {
  const asked = ask<ApprovalView>(`/v1/approvals/${place.id}`, { workspace: place.workspace });
  if (await refusalOf(asked)) return;
  const card = inbox.get().cards.find((each) => keyOfCard(each) === keyOf(place));
  const { state } = await asked;
  if (state === "pending" && card && isLost(card)) setPhase(place, { is: "open", failure: NOT_SAVED });
}

// Lost
// Once the engine can be reached again, tells a person which of their answers did not reach it and must be given again.
//
//   Owns:          reading again the approvals whose answers were lost, the words of the message.
//   Does not own:  the cards (model.ts), the connection to the engine (engine/follow).

import { ApiError, UNREACHABLE } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import type { Card } from "./card/card.ts";
import { cardAt, inbox, readWhole, setPhase } from "./model.ts";
import type { Spot } from "./name.ts";

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

async function askAgain(place: Spot): Promise<void> {
  const isRead = await readWhole(place);
  const card = cardAt(place);
  if (isRead && card && isLost(card)) setPhase(place, { is: "open", failure: NOT_SAVED });
}

// Team
// The parts of the chosen approval for people who share the inbox: assignment, snooze, and who looks.
//
//   Owns:          which of these parts are shown.
//   Does not own:  what each part shows.

import type { Card } from "../card/card.ts";
import { useLooking } from "./looking.ts";
import { styled } from "../../look/style.ts";
import { useMay } from "../../engine/me.ts";
import { Assign } from "./assign.tsx";
import { Snooze } from "./snooze.tsx";

await styled("team");

interface Props {
  readonly card: Card;
  readonly onNext: (() => void) | undefined;
}

export function Team({ card, onNext }: Props) {
  useLooking(card.approval);
  return (
    <>
      <Snooze card={card} onNext={onNext} />
      {useMay("decide") && <Assign key={card.approval.id} card={card} />}
    </>
  );
}

// Team
// The parts of the chosen approval's card for a team: assigning the approval, snoozing it, and reporting who looks at it.
//
//   Owns:          which of the team's parts the card shows.
//   Does not own:  what each of the team's parts contains.

import { useLooking } from "./looking.ts";
import { styled } from "../../look/style.ts";
import { useMay } from "../../engine/me.ts";
import { Assign } from "./assign.tsx";
import { Snooze, type SnoozeProps } from "./snooze.tsx";

await styled("team");

export function Team({ card, onNext }: SnoozeProps) {
  useLooking(card.approval);
  return (
    <>
      <Snooze card={card} onNext={onNext} />
      {useMay("decide") && <Assign key={card.approval.id} card={card} />}
    </>
  );
}

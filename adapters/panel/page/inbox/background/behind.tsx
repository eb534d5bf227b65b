// Behind
// Where the background of the chosen approval is: open beside the list on a wide screen, else folded until a person opens
// it.
//
//   Owns:          when the background is shown, and so when it is read.
//   Does not own:  its words (background.tsx).
//
// BACKGROUND-BEHIND-1. In a list of cards nothing moves by itself: the background of a card is read only when a person
//     opens it.

import { useState } from "preact/hooks";
import { later } from "../../parts/later.tsx";
import type { Card } from "../card/card.ts";

const Background = later(async () => (await import("./background.tsx")).Background);

/** If the window is at least this wide, the chosen card is beside the list. inbox.css has the same number. */
export const BESIDE = "(width >= 64rem)";

export function Behind({ card }: { readonly card: Card }) {
  const [isOpen, open] = useState(() => matchMedia(BESIDE).matches);
  return (
    <details class="background" open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
      <summary>Before this call</summary>
      {isOpen && <Background card={card} />}
    </details>
  );
}

// Behind
// Folds the background of the chosen approval (what came before its call) away, except on a wide screen, which has room for it.
//
//   Owns:          when the background of an approval is shown, and therefore read.
//   Does not own:  what the background contains (background.tsx).
//
// BACKGROUND-BEHIND-1. On a narrow screen, the page reads the background of a card only when a person unfolds it, so that
//     nothing in the list moves by itself.

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

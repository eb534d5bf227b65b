// Behind
// Where the background of the chosen approval stands: open beside the list, elsewhere folded until somebody asks for it.
//
//   Owns:          when it is shown, and so asked for.
//   Does not own:  what it says (background.tsx).
//
// BACKGROUND-BEHIND-1. Where a card stands among others, nothing moves by itself: its background is asked for when it is opened.

import { useState } from "preact/hooks";
import { later } from "../../parts/later.tsx";
import type { Card } from "../card/card.ts";

const Background = later(async () => (await import("./background.tsx")).Background);

/** As in inbox.css: from here on the list and the chosen one stand side by side. */
const BESIDE = "(width >= 64rem)";

export function Behind({ card }: { readonly card: Card }) {
  const [isOpen, open] = useState(() => matchMedia(BESIDE).matches);
  return (
    <details class="background" open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
      <summary>Before this call</summary>
      {isOpen && <Background card={card} />}
    </details>
  );
}

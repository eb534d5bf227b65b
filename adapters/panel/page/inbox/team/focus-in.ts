// Focus in
// Unfolds a part of the team's box and puts the focus into it, and folds it again.
//
//   Owns:          which element gets the focus.
//   Does not own:  the key for that (assign.tsx, snooze.tsx).

import type { TargetedKeyboardEvent } from "preact";

export function focusIn(folded: HTMLDetailsElement | null): void {
  if (!folded) return;
  folded.open = true;
  const first = folded.querySelector<HTMLElement>("input, button") ?? folded.querySelector("summary");
  first?.focus();
}

/** Folds the part whose key Escape was pressed in, and nothing else. */
export function foldOnEscape(event: TargetedKeyboardEvent<HTMLDetailsElement>): void {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  event.currentTarget.open = false;
  focusOn(event.currentTarget);
}

/** Puts the focus on the part itself: the element that had the focus may be gone. */
export const focusOn = (part: HTMLDetailsElement | null): void => part?.querySelector("summary")?.focus();

// Focus in
// Unfolds one of the folded forms for the team (Assign, Snooze) and moves the focus into it; folds the form again.
//
//   Owns:          which element of the team's box gets the focus.
//   Does not own:  the keys that unfold a part (assign.tsx, snooze.tsx).

import type { TargetedKeyboardEvent } from "preact";

export function focusIn(folded: HTMLDetailsElement | null): void {
  if (!folded) return;
  folded.open = true;
  const first = folded.querySelector<HTMLElement>("input, button") ?? folded.querySelector("summary");
  first?.focus();
}

/** Escape folds the part, and does nothing else. */
export function foldOnEscape(event: TargetedKeyboardEvent<HTMLDetailsElement>): void {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  event.currentTarget.open = false;
  focusOn(event.currentTarget);
}

/** Puts the focus on the part itself: the element that had the focus may have been removed. */
export const focusOn = (part: HTMLDetailsElement | null): void => part?.querySelector("summary")?.focus();

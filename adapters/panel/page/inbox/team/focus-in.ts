// Focus in
// Unfolds a part of the team's box, and puts the focus into it.
//
//   Owns:          which element gets the focus.
//   Does not own:  the key for that (assign.tsx, snooze.tsx).

export function focusIn(folded: HTMLDetailsElement | null): void {
  if (!folded) return;
  folded.open = true;
  const first = folded.querySelector<HTMLElement>("input, button") ?? folded.querySelector("summary");
  first?.focus();
}

// Pressed
// On a touch screen, a tap anywhere in the row of a call opens the call.
//
//   Owns:          which taps count.
//   Does not own:  the row's link, which is followed (call.tsx).
//
// With a mouse only the link opens the call: a click into the text may begin to select it. A link as large as the row would
// cover the text, and no finger that stays on it could select it either.

/** For a list of rows: follows the link of the row that was tapped, unless the tap was for something else. */
export function followTapped({ target }: Event): void {
  if (!(target instanceof Element) || !matchMedia("(pointer: coarse)").matches) return;
  if (!target.closest("a, button")) target.closest(".call")?.querySelector<HTMLElement>("th a")?.click();
}

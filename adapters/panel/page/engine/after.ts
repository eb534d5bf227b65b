// After
// The page's own timer, in the form in which code shared with the engine takes one.
//
//   Owns:          that form.
//   Does not own:  the engine's time (api.ts).

/** Calls back once, after the delay. @returns a function that cancels the call. */
export function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

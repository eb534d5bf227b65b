// After
// The page's timer, in the form that code shared with the engine expects.
//
//   Owns:          that form of a timer.
//   Does not own:  the engine's time (api.ts).

/** Calls back once, after the delay. @returns a function that cancels the call. */
export function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

// After
// A timer for code that page and engine share: such code gets its timer from its caller.
//
//   Owns:          the form of the page's timer.
//   Does not own:  what time it is on the engine's machine (api.ts).

/** Calls back once, after the delay. @returns a function that cancels the call. */
export function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

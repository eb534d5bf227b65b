// After
// The page's own timer, in the form that shared parts are given one.
//
//   Owns:          nothing but that form.
//   Does not own:  the engine's time (api.ts).

/** Calls back once. @returns what cancels it. */
export function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

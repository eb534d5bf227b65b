// Drawn
// Waits for the frame that shows what was just changed on the page.
//
//   Owns:          the longest wait, because a hidden page draws no frame.
//   Does not own:  what waits for it.

const HIDDEN_MS = 500;

/** Fulfilled once the next frame was drawn. */
export const drawn = (): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, HIDDEN_MS);
    requestAnimationFrame(() => setTimeout(done));
  });

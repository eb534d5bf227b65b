// Drawn
// Waits until the browser has drawn the page's latest changes.
//
//   Owns:          the longest wait: a hidden page draws nothing, so the wait must end without a drawing.
//   Does not own:  what the page does after the wait.

const HIDDEN_MS = 500;

export const drawn = (): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, HIDDEN_MS);
    requestAnimationFrame(() => setTimeout(done));
  });

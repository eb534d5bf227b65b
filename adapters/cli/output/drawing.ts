// Drawing
// Redraws a part of the terminal's screen while it changes.
//
//   Owns:          when to redraw: soon after a change, and once a second, so that printed times stay right.
//   Does not own:  what is drawn on the screen, how lines reach the screen (terminal.ts).

import type { Terminal, Toned } from "./terminal.ts";

const FRAME_MS = 100;
const BEAT_MS = 1000;

/** @param frame returns the current lines. @returns `touch`, which a caller calls when the lines may have changed. */
export function drawing(
  frame: () => readonly (string | Toned)[],
  terminal: Terminal,
  signal: AbortSignal,
): { readonly touch: () => void } {
  let planned: NodeJS.Timeout | undefined;
  const draw = (): void => {
    planned = undefined;
    terminal.draw(frame());
  };
  const touch = (): void => {
    if (!signal.aborted) planned ??= setTimeout(draw, FRAME_MS);
  };
  const beat = setInterval(touch, BEAT_MS);
  signal.addEventListener("abort", () => {
    clearInterval(beat);
    clearTimeout(planned);
  });
  return { touch };
}

export function stoppedBySignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

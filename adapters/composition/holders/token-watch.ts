// Token watch
// Reads tokens and the list of users repeatedly, so that a running engine notices changes.
//
//   Owns:          when tokens and the list of users are read again.
//   Does not own:  where tokens and the list are stored (data-folder), what a token gives access to (http).
//
// TOKEN-WATCH-1. An added or removed token takes effect within a second. While tokens cannot be read, those read last stay valid.

import type { Clock } from "../../../runtime/ports.ts";
import { pause } from "../../../runtime/wait-for.ts";

interface Watching<T> {
  readonly read: () => Promise<T>;
  readonly clock: Clock;
  /** Called with the first failure of reading, and not again until a reading has succeeded. */
  readonly onError: (error: unknown) => void;
}

const AGAIN_MS = 1_000;

/** Calls `read` each second, and `tell` with the result. @returns a function that ends this. */
export function watch<T>(
  { read, clock, onError }: Watching<T>,
  tell: (present: T) => void,
): () => Promise<void> {
  const over = new AbortController();
  let isFailing = false;
  const look = async (): Promise<void> => {
    try {
      const present = await read();
      if (!over.signal.aborted) tell(present);
      isFailing = false;
    } catch (error) {
      if (!isFailing) onError(error);
      isFailing = true;
    }
  };
  const run = async (): Promise<void> => {
    while ((await pause({ clock, ms: AGAIN_MS }, over.signal)) === "late") await look();
  };
  const running = run();
  return () => {
    over.abort();
    return running;
  };
}

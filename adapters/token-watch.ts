// Token watch
// An engine that runs hears of people's tokens that come and go.
//
//   Owns:          when they are read again.
//   Does not own:  where they are kept (data-folder), what they open (http).
//
// TOKEN-WATCH-1. A token that was given or taken away counts within a second. While tokens cannot be read, those known
//     count.

import type { AccessToken } from "../runtime/access-token.ts";
import type { Clock } from "../runtime/ports.ts";

interface Watching {
  readonly tokens: () => Promise<readonly AccessToken[]>;
  readonly clock: Clock;
  /** Told once of what cannot be read, and again only after it could. */
  readonly onError: (error: unknown) => void;
}

const AGAIN_MS = 1_000;

/** Tells `admit` who has a token, again and again. @returns a function that ends it. */
export function watchTokens(
  { tokens, clock, onError }: Watching,
  admit: (tokens: readonly AccessToken[]) => void,
): () => Promise<void> {
  let isOver = false;
  let isFailing = false;
  let cancel = (): void => undefined;
  let reading = Promise.resolve();
  const read = async (): Promise<void> => {
    try {
      const present = await tokens();
      if (!isOver) admit(present);
      isFailing = false;
    } catch (error) {
      if (!isFailing) onError(error);
      isFailing = true;
    }
    wait();
  };
  const wait = (): void => {
    if (!isOver)
      cancel = clock.after(AGAIN_MS, () => {
        reading = read();
      });
  };
  wait();
  return async () => {
    isOver = true;
    cancel();
    await reading;
  };
}

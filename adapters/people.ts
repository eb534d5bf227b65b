// People
// Those who have a token of their own, while an engine runs: it hears of tokens that come and go.
//
//   Owns:          when they are read again.
//   Does not own:  where they are kept (data-folder), what they open (http).
//
// PEOPLE-1. A token that was given or taken away counts within a second. While tokens cannot be read, those known
//     count.

import type { Clock } from "../runtime/ports.ts";

/** A person's token. */
export interface Named {
  readonly name: string;
  readonly token: string;
}

interface Following {
  readonly people: () => Promise<readonly Named[]>;
  readonly clock: Clock;
  /** Told once of what cannot be read, and again only after it could. */
  readonly onError: (error: unknown) => void;
}

const AGAIN_MS = 1_000;

/** Tells `admit` who has a token, again and again. @returns a function that ends it. */
export function follow(
  { people, clock, onError }: Following,
  admit: (named: readonly Named[]) => void,
): () => Promise<void> {
  let isOver = false;
  let isFailing = false;
  let cancel = (): void => undefined;
  let reading = Promise.resolve();
  const read = async (): Promise<void> => {
    try {
      const named = await people();
      if (!isOver) admit(named);
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

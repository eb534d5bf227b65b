// Token watch
// Tells a running engine about tokens that are added or removed.
//
//   Owns:          when tokens are read again.
//   Does not own:  where they are stored (data-folder), what they open (http).
//
// TOKEN-WATCH-1. An added or removed token takes effect within a second. While tokens cannot be read, the known ones
//     stay valid.

import type { AccessToken } from "../../runtime/access-token.ts";
import type { Clock } from "../../runtime/ports.ts";
import { pause } from "../../runtime/wait-for.ts";

interface Watching {
  readonly tokens: () => Promise<readonly AccessToken[]>;
  readonly clock: Clock;
  /** Called once about what cannot be read, and again only after it could be. */
  readonly onError: (error: unknown) => void;
}

const AGAIN_MS = 1_000;

/** Tells `admit` again and again who has a token. @returns a function that stops it. */
export function watchTokens(
  { tokens, clock, onError }: Watching,
  admit: (tokens: readonly AccessToken[]) => void,
): () => Promise<void> {
  const over = new AbortController();
  let isFailing = false;
  const read = async (): Promise<void> => {
    try {
      const present = await tokens();
      if (!over.signal.aborted) admit(present);
      isFailing = false;
    } catch (error) {
      if (!isFailing) onError(error);
      isFailing = true;
    }
  };
  const run = async (): Promise<void> => {
    while ((await pause({ clock, ms: AGAIN_MS }, over.signal)) === "late") await read();
  };
  const running = run();
  return () => {
    over.abort();
    return running;
  };
}

// Asked
// Hooks that read something from the engine for a part of the page once that part is shown.
//
//   Owns:          dropping an answer if the part that asked for it is gone, or has asked for something else since.
//   Does not own:  what a part of the page reads, and what it shows until the answer comes.

import { useEffect, useState } from "preact/hooks";
import { ApiError } from "./api.ts";

type Ask<T> = (signal: AbortSignal) => Promise<T> | undefined;

interface Answer<T> {
  /** The newest answer; undefined until one has come. */
  readonly found?: T | undefined;
  /** True if the newest request failed. `failure`: what the engine answered to it. */
  readonly isLost?: boolean;
  readonly failure?: ApiError;
}

/**
 * @param inputs what the request is made of: it is sent anew when one of them changes.
 * @param ask sends the request; gives nothing if there is nothing to ask for.
 * @returns the newest answer; undefined until one has come, and if the request failed.
 */
export function useAsked<T>(inputs: readonly unknown[], ask: Ask<T>): T | undefined {
  const { found, isLost } = useAnswer(inputs, ask);
  return isLost ? undefined : found;
}

/** As `useAsked`, but if a request fails, `found` still has the answer to the request before it. */
export function useAnswer<T>(inputs: readonly unknown[], ask: Ask<T>): Answer<T> {
  const [answer, show] = useState<Answer<T>>({});
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    ask(signal)?.then(
      (found) => signal.aborted || show({ found }),
      (error: unknown) =>
        signal.aborted ||
        show(({ found }) => ({ found, isLost: true, ...(error instanceof ApiError && { failure: error }) })),
    );
    return () => leaving.abort();
  }, inputs);
  return answer;
}

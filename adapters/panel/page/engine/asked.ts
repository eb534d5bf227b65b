// Asked
// A hook that reads something from the engine for a part of the page once that part is shown.
//
//   Owns:          dropping an answer if the part that asked is gone, or has asked for something else since.
//   Does not own:  what a part of the page reads, and what it shows until the answer comes.

import { useEffect, useState } from "preact/hooks";

/**
 * @param inputs what the request is made of: it is sent anew when one of them changes.
 * @param ask sends the request; gives nothing if there is nothing to ask for.
 * @returns the newest answer; undefined until one has come, and if the request failed.
 */
export function useAsked<T>(
  inputs: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<T> | undefined,
): T | undefined {
  const [found, show] = useState<T>();
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    ask(signal)?.then(
      (told) => signal.aborted || show(() => told),
      () => signal.aborted || show(undefined),
    );
    return () => leaving.abort();
  }, inputs);
  return found;
}

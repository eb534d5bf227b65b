// Asked
// What a part of the page asks the engine for, once it is there.
//
//   Owns:          leaving a question whose part is gone, or that is another one now.
//   Does not own:  the questions, and what is shown where there is no answer (each part).

import { useEffect, useState } from "preact/hooks";

/**
 * @param inputs what the question is made of: it is asked anew when one of them changes.
 * @param ask nothing where there is nothing to ask.
 * @returns the newest answer; undefined until there is one, and where it could not be had.
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

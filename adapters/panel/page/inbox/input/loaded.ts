// Loaded
// A part of the page that makes something nicer, once it is there.
//
//   Owns:          loading it once. Until then, and if it cannot be loaded, what it is for is shown plainly.
//   Does not own:  parts that a view cannot do without (parts/later).

import { useEffect, useState } from "preact/hooks";

/** @param load by `import()`. @returns a hook that gives the part, or undefined until it is there. */
export function whenLoaded<T>(load: () => Promise<T>): (isWanted: boolean) => T | undefined {
  let loaded: T | undefined;
  return (isWanted) => {
    const [part, show] = useState(() => loaded);
    useEffect(() => {
      if (!isWanted || loaded !== undefined) return;
      let isShown = true;
      load().then(
        (found) => {
          loaded = found;
          if (isShown) show(() => found);
        },
        () => undefined,
      );
      return () => {
        isShown = false;
      };
    }, [isWanted]);
    return part ?? loaded;
  };
}

// Loaded
// A part of the page that improves how something looks, loaded on demand.
//
//   Owns:          loading the part once. Until then, and if it cannot be loaded, the plain form is shown.
//   Does not own:  parts that a view cannot do without (parts/later).

import { useEffect, useState } from "preact/hooks";

/**
 * @param load loads the part by `import()`.
 * @returns a hook that gives the part, or undefined until it is loaded.
 */
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

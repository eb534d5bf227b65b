// Later
// Loads a part of the page only when that part is first shown, so that the page's first view appears soon.
//
//   Owns:          loading a part once, what is shown until it is loaded, what is shown if loading fails.
//   Does not own:  what the loaded part shows.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/**
 * Makes a component that loads the part when it is first drawn.
 * @param load imports the part's own script (bundle).
 * @param Meanwhile is shown until the part is loaded, and if loading fails. Without it, the page says that the part is loading,
 * or that it could not be loaded.
 */
export function later<P extends object, M extends object = object>(
  load: () => Promise<ComponentType<P>>,
  Meanwhile?: ComponentType<M>,
): ComponentType<P & M> {
  let loaded: ComponentType<P> | undefined;
  return function Later(props: P & M) {
    // The loading of the part begins while `Later` is drawn, because an effect would run only after the next frame.
    const [loading] = useState(() => {
      const asked = loaded ? undefined : load();
      // The effect below handles a failed load. This empty handler takes a failure that comes before the effect runs.
      asked?.catch(() => undefined);
      return asked;
    });
    const [Part, show] = useState(() => loaded);
    const [isLost, lose] = useState(false);
    useEffect(() => {
      let isShown = true;
      loading?.then(
        (part) => {
          loaded = part;
          if (isShown) show(() => part);
        },
        () => isShown && lose(true),
      );
      return () => {
        isShown = false;
      };
    }, []);
    if (Part) return <Part {...props} />;
    if (Meanwhile) return <Meanwhile {...props} />;
    if (!isLost) return <p class="quiet loading">Loading…</p>;
    // A browser remembers a failed import, so the part cannot be loaded until the page is reloaded.
    return (
      <p class="failure" role="alert">
        This part of the page could not be loaded: the engine does not answer, or is another version by now.{" "}
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </p>
    );
  };
}

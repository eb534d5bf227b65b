// Later
// A part of the page that is loaded when it is first shown, so that the first view stands soon.
//
//   Owns:          loading it once, what stands in its place until then, a failure to load it.
//   Does not own:  what is loaded.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** @param load by `import()`: what it names is a script of its own (bundle). */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Later(props: P) {
    const [Part, show] = useState(() => loaded);
    const [isLost, lose] = useState(false);
    useEffect(() => {
      if (loaded) return;
      let isShown = true;
      load().then(
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
    if (!isLost) return <p class="quiet loading">Loading…</p>;
    // Browsers remember that an import failed: only reloading the page tries again.
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

// Width
// The width of a box in pixels, for a drawing that fills it.
//
//   Owns:          watching the width.
//   Does not own:  what is drawn into the box.

import { useEffect, useState } from "preact/hooks";

/** Watches the width of a box. @returns the width in px; 0 until it is known. */
export function useWidth(box: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return width;
}

// Width
// How wide a box is now: what is drawn into it has as many pixels.
//
//   Owns:          watching it.
//   Does not own:  what is drawn.

import { useEffect, useState } from "preact/hooks";

/** @returns 0 until it is known, px. */
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

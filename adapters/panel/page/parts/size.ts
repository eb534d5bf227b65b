// Size
// Watches a box's size: the width, for a drawing that fills the box; the height, for a box that lies over the page.
//
//   Owns:          watching the size of a box, the CSS property that contains the height.
//   Does not own:  what is in the box; making room for a box that lies over the page (the style sheets use its height).

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** @returns the width of a box in px; 0 until it is known. */
export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return width;
}

/** Keeps a box's height, px, in a CSS property of the document until the box is removed. @returns a reference for the box. */
export function useHeightAs(property: `--${string}`): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const { current } = box;
    if (!current) return;
    const watch = new ResizeObserver(() => style.setProperty(property, `${current.offsetHeight}px`));
    watch.observe(current);
    return () => {
      watch.disconnect();
      style.removeProperty(property);
    };
  }, [property]);
  return box;
}

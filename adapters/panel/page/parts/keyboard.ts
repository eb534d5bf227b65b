// Keyboard
// Single-key shortcuts, active while nobody is typing.
//
//   Owns:          telling keys meant for the view from keys meant for a field; which of several meanings one has.
//   Does not own:  what a key does, what is typed on without a field (typing.ts).
//
// KEYBOARD-1. A key acts once: the front view gets it before those behind, and behind an open sheet no view gets it.

import { useLayoutEffect } from "preact/hooks";
import { typed, type Typing } from "./typing.ts";

/** Keys that move may repeat while they are held; what is held down must not answer one approval after another. */
const REPEATING: ReadonlySet<string> = new Set(["j", "k", "ArrowDown", "ArrowUp", "[", "]"]);

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** From behind to the front. */
const LAYERS = ["shell", "view", "part", "sheet"] as const;
type Layer = (typeof LAYERS)[number];

const bound: Record<Layer, Set<Keys>> = {
  shell: new Set(),
  view: new Set(),
  part: new Set(),
  sheet: new Set(),
};

const FIELDS = "input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]";
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest(FIELDS) !== null;

/** @param keys by `KeyboardEvent.key`; the newest given act. */
export function useKeys(keys: Keys, layer: Layer = "view"): void {
  // Set at once, so that a key pressed right after another acts on the result of the first.
  useLayoutEffect(() => {
    bound[layer].add(keys);
    return () => bound[layer].delete(keys);
  });
}

let typing: Typing;

/** What is typed from now on, without a pause, is no key (TYPING-1). @param at the event's own time, ms. */
export function swallowFrom(at = performance.now()): void {
  typing = at;
}

addEventListener("pointerdown", () => (typing = undefined), { capture: true });
addEventListener("keydown", (event) => {
  const { key, timeStamp: at } = event;
  const heard = typed(typing, { at, key, isText: isTyping(event.target) });
  typing = heard.typing;
  if (!heard.isKey || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.repeat && !REPEATING.has(key)) return;
  for (const layer of LAYERS.toReversed()) {
    const keys = [...bound[layer]].find((each) => Object.hasOwn(each, key));
    if (keys) {
      event.preventDefault();
      keys[key]?.(event);
      return;
    }
    // A closed sheet is gone for a person a moment before the page has removed it.
    if (layer === "sheet" && document.querySelector("dialog[open]")) return;
  }
});

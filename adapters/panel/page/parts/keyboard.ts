// Keyboard
// Single-key shortcuts, which act only while nobody types a text.
//
//   Owns:          whether a pressed key is a shortcut or typed text, and which of several handlers gets the key.
//   Does not own:  what a key does, typing that goes on after the text field is gone (typing.ts).
//
// KEYBOARD-1. A key acts once, in the frontmost layer of the page (`LAYERS`) that has a handler for it. While a sheet is open,
//     nothing behind the sheet gets a key.

import { useLayoutEffect } from "preact/hooks";
import { typed, type Typing } from "./typing.ts";

/** The keys that act again while they are held: only keys that move, so that no held key answers one approval after another. */
const REPEATING: ReadonlySet<string> = new Set(["j", "k", "ArrowDown", "ArrowUp", "[", "]"]);

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** The layers of the page that handle keys, from back to front. */
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

/** @param keys the handlers by `KeyboardEvent.key`; each drawing of the component replaces those of the drawing before. */
export function useKeys(keys: Keys, layer: Layer = "view"): void {
  // A layout effect binds the keys at once: a key that is pressed right after another already has the new handlers.
  useLayoutEffect(() => {
    bound[layer].add(keys);
    return () => bound[layer].delete(keys);
  });
}

let typing: Typing;

/** Ignores every key until a person pauses in typing (TYPING-1). @param at when typing began, by the event's time, ms. */
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
    // The document tells whether a sheet is open; `bound.sheet` does not, because it keeps a closed sheet's keys for a moment.
    if (layer === "sheet" && document.querySelector("dialog[open]")) return;
  }
});

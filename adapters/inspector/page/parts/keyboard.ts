// Keyboard
// Single keys that act, while nobody is typing.
//
//   Owns:          telling keys meant for the view from keys meant for a field.
//   Does not own:  what a key does.

import { useLayoutEffect } from "preact/hooks";

/** Keys that move may repeat while they are held; what is held down must not answer one question after another. */
const REPEATING: ReadonlySet<string> = new Set(["j", "k", "ArrowDown", "ArrowUp", "[", "]"]);

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;

/** @param keys by `KeyboardEvent.key`; the newest given act. */
export function useKeys(keys: Keys): void {
  // At once: a key pressed right after another acts on what that one did.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.repeat && !REPEATING.has(event.key)) return;
      const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
      if (!act) return;
      event.preventDefault();
      act(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

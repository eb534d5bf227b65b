// Search: opening
// Opens the search from any view: by a button in the header, or by a key.
//
//   Owns:          when the sheet of the search is open.
//   Does not own:  the sheet of the search (palette.tsx), which is loaded when it is first opened.

import { useEffect, useState } from "preact/hooks";
import { later } from "../parts/later.tsx";

const Palette = later(async () => (await import("./palette.tsx")).Palette);

const isApple = /Mac|iP(hone|ad)/.test(navigator.userAgent);

export function Search() {
  const [isOpen, open] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== "k" || altKey || shiftKey || !(ctrlKey || metaKey)) return;
      event.preventDefault();
      // The search does not open over another sheet, which may need an answer.
      if (!document.querySelector("dialog[open]")) open(true);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      <button type="button" class="plain find" title="Search everywhere" onClick={() => open(true)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zm3.5-1.5L14.5 14.5" />
        </svg>
        <span>Search</span> <kbd>{isApple ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      {isOpen && <Palette onClose={() => open(false)} />}
    </>
  );
}

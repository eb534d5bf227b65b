// Notifications: opening
// The button in the header, and the key, that open the sheet with the settings of notifications.
//
//   Owns:          when the sheet is open.
//   Does not own:  the settings (sheet.tsx), loaded when the sheet is first opened.

import { useState } from "preact/hooks";
import { useKeys } from "../parts/keyboard.ts";
import { later } from "../parts/later.tsx";

const Sheet = later(async () => (await import("./sheet.tsx")).Sheet);

export function NotificationsButton() {
  const [isOpen, open] = useState(false);
  useKeys({ n: () => open(true) }, "shell");
  return (
    <>
      <button
        type="button"
        class="plain notify"
        aria-label="Notifications"
        title="Notifications"
        onClick={() => open(true)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 1.5a4 4 0 0 0-4 4c0 4-1.5 5-1.5 6h11c0-1-1.5-2-1.5-6a4 4 0 0 0-4-4zM6.5 13.5h3" />
        </svg>
      </button>
      {isOpen && <Sheet onClose={() => open(false)} />}
    </>
  );
}

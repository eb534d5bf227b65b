// Rest
// The items of the header that are seldom needed: on a wide screen in a row, on a narrow screen in a menu that names each item.
//
//   Owns:          the menu and its buttons, the link to the dead letters, loading the sheets that open over any view.
//   Does not own:  what a sheet contains, which sheet is open (shell.tsx).

import { signOut } from "./engine/me.ts";
import { later } from "./parts/later.tsx";
import { ThemeButton } from "./theme/theme.tsx";
import { useValue } from "./engine/value.ts";
import { hrefOf } from "./route.ts";
import { isOpen, letters } from "./letters/model.ts";

export const SHEETS = {
  help: later(async () => (await import("./parts/help.tsx")).Help),
  notifications: later(async () => (await import("./notify/sheet.tsx")).Sheet),
} as const;
export type SheetName = keyof typeof SHEETS;

export const Rest = ({ open }: { readonly open: (sheet: SheetName) => void }) => (
  <>
    <button type="button" class="plain menu" popovertarget="rest" aria-label="More" title="More">
      •••
    </button>
    <div id="rest" class="rest" popover="auto">
      <LettersLink />
      <ThemeButton />
      <button
        type="button"
        class="plain notify"
        aria-label="Notifications"
        title="Notifications"
        onClick={() => open("notifications")}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 1.5a4 4 0 0 0-4 4c0 4-1.5 5-1.5 6h11c0-1-1.5-2-1.5-6a4 4 0 0 0-4-4zM6.5 13.5h3" />
        </svg>
      </button>
      <button type="button" class="plain sign-out" onClick={signOut}>
        Sign out
      </button>
      <button
        type="button"
        class="plain keys"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts"
        onClick={() => open("help")}
      >
        <kbd>?</kbd>
      </button>
    </div>
  </>
);

function LettersLink() {
  const { items, isMore } = useValue(letters);
  const open = items.filter(isOpen).length;
  if (open === 0) return null;
  const count = `${open.toLocaleString()}${isMore ? "+" : ""}`;
  return (
    <a class="letters-link" href={hrefOf({ view: "letters" })} title={`${count} dead letters`}>
      <span class="count">{count}</span> <span class="words">dead {open === 1 ? "letter" : "letters"}</span>
    </a>
  );
}

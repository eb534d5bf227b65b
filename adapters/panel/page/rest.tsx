// Rest
// What is seldom needed in the header: in a row on a wide screen, else in a menu, where each has its name.
//
//   Owns:          the menu, the buttons for the sign-out and the keyboard shortcuts.
//   Does not own:  the other buttons, which sheet is open (shell.tsx).

import { LettersLink } from "./letters/link.tsx";
import { NotificationsButton } from "./notify/button.tsx";
import type { SheetName } from "./sheet.tsx";
import { signOut } from "./sign-out.ts";
import { ThemeButton } from "./theme/theme.tsx";

export const Rest = ({ open }: { readonly open: (sheet: SheetName) => void }) => (
  <>
    <button type="button" class="plain menu" popovertarget="rest" aria-label="More" title="More">
      •••
    </button>
    <div id="rest" class="rest" popover="auto">
      <LettersLink />
      <ThemeButton />
      <NotificationsButton onPress={() => open("notifications")} />
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

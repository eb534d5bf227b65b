// Sign-out
// Ends this browser's sign-in: the button in the header, and what the search does by its name.
//
//   Owns:          asking the engine, leaving the page.
//   Does not own:  what ends with it (http).

import { send } from "./engine/api.ts";

/** A page that is signed out shows what it shows to anybody. */
export async function signOut(): Promise<void> {
  await send("/v1/sign-out", {}).catch(() => undefined);
  location.replace("/");
}

export function SignOutButton() {
  return (
    <button
      type="button"
      class="plain sign-out"
      aria-label="Sign out"
      title="Sign out in this browser"
      onClick={() => void signOut()}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M6.5 2.5h-4v11h4M6 8h8M11 5l3 3-3 3" />
      </svg>
    </button>
  );
}

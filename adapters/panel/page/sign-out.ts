// Sign-out
// Ends this browser's sign-in, for the button in the header and the search.
//
//   Owns:          asking the engine, leaving the page.
//   Does not own:  what ends with it (http).

import { send } from "./engine/api.ts";

/** A page that is signed out shows what it shows to anybody. */
export function signOut(): void {
  const leave = (): void => location.replace("/");
  send("/v1/sign-out", {}).then(leave, leave);
}

// Sign-out
// Ends this browser's sign-in, for the button in the header and the search.
//
//   Owns:          sending the sign-out to the engine, leaving the page.
//   Does not own:  what a sign-out ends (http).

import { send } from "./engine/api.ts";

/** Signs out, then opens the start page, as anybody sees it who is not signed in. */
export function signOut(): void {
  const leave = (): void => location.replace("/");
  send("/v1/sign-out", {}).then(leave, leave);
}

// Failure
// Shows a message about a failure; a screen reader announces the message at once.
//
//   Owns:          how a message about a failure looks.
//   Does not own:  what the message says.

import type { ComponentChildren } from "preact";

export const Failure = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="failure" role="alert">
    {children}
  </p>
);

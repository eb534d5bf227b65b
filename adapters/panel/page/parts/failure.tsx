// Failure
// A message about something that went wrong; a screen reader announces it at once.
//
//   Owns:          the form of the message.
//   Does not own:  the text of the message.

import type { ComponentChildren } from "preact";

export const Failure = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="failure" role="alert">
    {children}
  </p>
);

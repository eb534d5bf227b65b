// Failure
// What went wrong, said at once to who listens to the page.
//
//   Owns:          its form.
//   Does not own:  the words.

import type { ComponentChildren } from "preact";

export const Failure = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="failure" role="alert">
    {children}
  </p>
);

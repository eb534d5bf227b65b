// Missing
// Says, in place of a tool input, why the input cannot be shown.
//
//   Owns:          the words for each reason why an input is missing.
//   Does not own:  finding out why the input is missing, which answers are permitted (the engine).

import type { InputMissing } from "../../../../runtime/rows/views.ts";

const WORDS: Readonly<Record<InputMissing, string>> = {
  lost: "This input is gone: the engine no longer has it.",
  damaged: "This input is damaged: what the engine has does not match its hash.",
};

/** @param isAsked true if an approval about this input is pending. */
export function MissingInput({ why, isAsked }: { readonly why: InputMissing; readonly isAsked: boolean }) {
  return (
    <p class="warning">
      {WORDS[why]}
      {isAsked && " Nobody can see it, so it can only be denied, or answered where it was requested."}
    </p>
  );
}

/** One word that replaces a missing input where the page shows only its gist. */
export const gistOfMissing = (why: InputMissing): string => (why === "lost" ? "(gone)" : "(damaged)");

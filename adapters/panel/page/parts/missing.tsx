// Missing
// Takes the place of an input that cannot be shown.
//
//   Owns:          the words.
//   Does not own:  finding out (the engine), what may be answered (the engine).

import type { InputMissing } from "../../../../runtime/rows/views.ts";

const WORDS: Readonly<Record<InputMissing, string>> = {
  lost: "This input is gone: the engine no longer has it.",
  damaged: "This input is damaged: what the engine has does not match its hash.",
};

/** Why the input of a view is not there; undefined where it is, or has only not been read yet. */
export const missingIn = (view: object): InputMissing | undefined =>
  (view as { readonly inputMissing?: InputMissing }).inputMissing;

/** @param isAsked an approval about it waits. */
export function MissingInput({ why, isAsked }: { readonly why: InputMissing; readonly isAsked: boolean }) {
  return (
    <p class="warning">
      {WORDS[why]}
      {isAsked && " Nobody can see it, so it can only be denied, or answered where it was requested."}
    </p>
  );
}

/** The same in a word, where there is a line for the whole input. */
export const gistOfMissing = (why: InputMissing): string => (why === "lost" ? "(gone)" : "(damaged)");

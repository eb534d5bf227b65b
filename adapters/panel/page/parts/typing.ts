// Typing
// Distinguishes a key that continues a typed text from a key that is a command, by the time between keys.
//
//   Owns:          how long keys still count as typed text after the text field is gone.
//   Does not own:  listening for keys, knowing text fields (keyboard.ts).
//
// TYPING-1. A person may go on typing after a text field is gone, or after a key that should have opened a field but did not.
//     Until the person pauses, presses a key that leaves a field, or clicks on the page, no key acts as a command.

/** After this pause, typing counts as over, ms: the pause is longer than the time between two letters of one text. */
export const PAUSE_MS = 1_000;

export interface Typed {
  /** When the key was pressed, by the page's clock, ms. */
  readonly at: number;
  readonly key: string;
  /** True if the focus is in a text field. */
  readonly isText: boolean;
}

/** When the last letter of a text was typed, ms; undefined while nobody types. */
export type Typing = number | undefined;

const LEAVING: ReadonlySet<string> = new Set(["Escape", "Enter", "Tab"]);

/** Decides whether a key is a command (TYPING-1). @returns the decision, and when the last letter of a text was typed. */
export function typed(
  before: Typing,
  { at, key, isText }: Typed,
): { readonly typing: Typing; readonly isKey: boolean } {
  if (LEAVING.has(key)) return { typing: undefined, isKey: !isText };
  if (isText) return { typing: at, isKey: false };
  const isGoingOn = before !== undefined && at - before < PAUSE_MS;
  return isGoingOn ? { typing: at, isKey: false } : { typing: undefined, isKey: true };
}

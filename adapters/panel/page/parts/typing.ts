// Typing
// Distinguishes typing that goes on from a key meant as a command, by the time between keys.
//
//   Owns:          how long keys count as typed text after the text field has gone.
//   Does not own:  listening for keys, and fields (keyboard.ts).
//
// TYPING-1. A person who types goes on typing for a moment after the field has gone, or after a key that opened no field.
//     None of these keys counts as a command. This ends with a pause, with a key that leaves a field, or with a press on the
//     page.

/** How long nobody must type until typing is over, ms: longer than the time between two letters of one text. */
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

/** Keys that leave a field. */
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

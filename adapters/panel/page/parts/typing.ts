// Typing
// Tells what is typed on from what is meant as a key, by when it comes.
//
//   Owns:          how long a text goes on without its field.
//   Does not own:  hearing keys, and fields (keyboard.ts).
//
// TYPING-1. Who types into a field that goes away, or after a key that opened none, types on for a while before they look up:
//     none of that is a key. It ends with a pause, with a key that leaves a field, and with the hand on the page.

/** Longer than between two letters of one text. */
export const PAUSE_MS = 1_000;

export interface Typed {
  /** When it was pressed, by the page's clock, ms. */
  readonly at: number;
  readonly key: string;
  /** True if the key goes into a text field. */
  readonly isText: boolean;
}

/** When the last letter of a text was typed, ms; undefined while nobody types. */
export type Typing = number | undefined;

/** These leave a field. */
const LEAVING: ReadonlySet<string> = new Set(["Escape", "Enter", "Tab"]);

/** @returns how it stands after a key, and whether that is one for the page. */
export function typed(
  before: Typing,
  { at, key, isText }: Typed,
): { readonly typing: Typing; readonly isKey: boolean } {
  if (LEAVING.has(key)) return { typing: undefined, isKey: !isText };
  if (isText) return { typing: at, isKey: false };
  const isGoingOn = before !== undefined && at - before < PAUSE_MS;
  return isGoingOn ? { typing: at, isKey: false } : { typing: undefined, isKey: true };
}

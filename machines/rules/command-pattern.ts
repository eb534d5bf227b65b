// Command pattern
// Reads the pattern of a rule as the words that a command must have.
//
//   Owns:          reading patterns of words, such as `git log *` or the prefix `git log`; comparing a text with one word of a
//                  pattern.
//   Does not own:  comparing a whole command (command-match), cutting a text into words (shell-words).

import { mayBeProgram, patternWords, plainWords, type Word } from "./shell-words.ts";

export type Fit = "yes" | "no" | "unsure";

export interface CommandPattern {
  readonly words: readonly Word[];
  readonly folded: readonly Word[];
  readonly isOpen: boolean;
}

/** Reads a text as a pattern of commands. @returns undefined for a text that no plain command could match. */
export function commandGlob(text: string): CommandPattern | undefined {
  const words = patternWords(text);
  if (!words || words.length === 0) return undefined;
  const isOpen = words.length > 1 && isAny(words.at(-1));
  return patternOf(isOpen ? words.slice(0, -1) : words, isOpen);
}

export function commandPrefix(text: string): CommandPattern | undefined {
  const words = plainWords(text);
  return (
    words &&
    patternOf(
      words.map((word) => [word]),
      true,
    )
  );
}

const patternOf = (words: readonly Word[], isOpen: boolean): CommandPattern => ({
  words,
  folded: words.map((word) => word.map((piece) => piece.toLowerCase())),
  isOpen,
});

const isAny = (word: Word | undefined): boolean => word?.length === 2 && word.every((piece) => piece === "");

/** True if the pattern's first word names a program. Only such a pattern may allow a call. */
export function namesProgram({ words: [first] }: CommandPattern): boolean {
  return first?.length === 1 && mayBeProgram(first[0] ?? "");
}

export const isLiteral = (word: Word | undefined): boolean => word?.length === 1;

/** True if a text contains the pieces in order, with any characters between the pieces. */
export function fits(pieces: Word, text: string): boolean {
  const end = pieces.length - 1;
  if (end < 1) return text === (pieces[0] ?? "");
  let at = 0;
  for (let n = 0; n < end; n += 1) {
    const piece = pieces[n] ?? "";
    const found = n > 0 ? text.indexOf(piece, at) : text.startsWith(piece) ? 0 : -1;
    if (found < 0) return false;
    at = found + piece.length;
  }
  const last = pieces[end] ?? "";
  return text.length - last.length >= at && text.endsWith(last);
}

// Quoted
// Writes a text as one word of a shell.
//
//   Owns:          the quotes, and what stands for a quote within the text.
//   Does not own:  the commands; reading a shell's words (machines/rules/shell-words).
//
// QUOTED-1. A word that somebody pastes into a shell is one word, in fish too, and one line, whatever the text is: a path that a
//     repository chose adds no command.

import { oneLine } from "./visible.ts";

/** The word as `sh` reads it, which has exactly the text. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The word for a command that a user is advised to run. fish reads a backslash between quotes, so it stands outside of them. */
export const pasted = (text: string): string =>
  oneLine(`'${text.replace(/['\\]/g, (mark) => `'\\${mark}'`)}'`);

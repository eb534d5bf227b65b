// Quoted
// Writes a text as one word of a shell.
//
//   Owns:          the quotes, and what stands for a quote within the text.
//   Does not own:  the commands; reading a shell's words (machines/rules/shell-words).
//
// QUOTED-1. A text that somebody pastes into a shell, fish included, is one word on one line. So a path with quotes or line
//     breaks, which a repository may choose, adds no command.

import { oneLine } from "./visible.ts";

/** The word as `sh` reads it, which has exactly the text. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The word for a command that a user is advised to run. fish interprets backslashes in quotes, so they are put outside. */
export const pasted = (text: string): string =>
  oneLine(`'${text.replace(/['\\]/g, (mark) => `'\\${mark}'`)}'`);

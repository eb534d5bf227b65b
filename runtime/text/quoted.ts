// Quoted
// Writes a text as one word of a shell.
//
//   Owns:          the quotes around the text, and how a quote inside the text is written.
//   Does not own:  the commands; reading a shell's words (machines/rules/shell-words).
//
// QUOTED-1. A text that somebody pastes into a shell, fish included, is one word on one line. So a path with quotes or line
//     breaks, which a repository may choose, adds no command.

import { oneLine } from "./visible.ts";

/** Quotes a text so that `sh` reads it as one word with exactly this text. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Quotes a text as one word of a command that a user may paste into any shell. Backslashes are put outside the quotes, because
 * fish interprets them within quotes.
 */
export const pasted = (text: string): string =>
  oneLine(`'${text.replace(/['\\]/g, (mark) => `'\\${mark}'`)}'`);

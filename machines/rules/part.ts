// Part
// The words of one command in a text, in the three forms that other files compare: as written, in lower case, without folders.
//
//   Owns:          making the three forms of a command's words.
//   Does not own:  cutting a text into commands (shell-words), what a command does (sight).
//
// The panel's inbox, a page in the browser, finds risks with this file. So this file must not import the large table of
// programs: the page would have to load the table, too.

export interface Part {
  readonly words: readonly string[];
  readonly folded: readonly string[];
  readonly names: readonly string[];
}

export function partOf(words: readonly string[]): Part {
  const folded = words.map((word) => word.toLowerCase());
  return { words, folded, names: folded.map((word) => word.slice(word.lastIndexOf("/") + 1)) };
}

// Part
// The words of one command in a text, read once for all that looks at them.
//
//   Owns:          their forms.
//   Does not own:  cutting a text into commands (shell-words), what is seen in one (sight). The panel's inbox reads risks by
//                  it, and loads no table of programs for that.

/** The words of one command in a text: as they stand, in small letters, and without folders. */
export interface Part {
  readonly words: readonly string[];
  readonly folded: readonly string[];
  readonly names: readonly string[];
}

export function partOf(words: readonly string[]): Part {
  const folded = words.map((word) => word.toLowerCase());
  return { words, folded, names: folded.map((word) => word.slice(word.lastIndexOf("/") + 1)) };
}

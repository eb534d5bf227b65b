// Path
// Decides where to cut a path that does not fit into its line.
//
//   Owns:          separating the file's name from its folders.
//   Does not own:  how the file's name and the folders are drawn (text.tsx, parts.css).
//
// PARTS-PATH-1. If a path does not fit into its line, its folders are cut, and the file's name is shown whole.

/** Splits a path into its folders and its name. A text that is no path has no folders: the whole text is the name. */
export function partsOf(text: string): readonly [folders: string, name: string] {
  const [, folders = "", name = text] = /^(\S*[^\s/\\])([/\\][^\s/\\]+)$/.exec(text) ?? [];
  return [folders, name];
}

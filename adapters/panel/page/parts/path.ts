// Path
// Where a path is cut that does not fit into its line.
//
//   Owns:          telling the name of the file from its folders.
//   Does not own:  how both are drawn (text.tsx, parts.css).
//
// PARTS-PATH-1. Of a path that does not fit its line, the folders are cut: the name of the file stays.

/** @returns both parts of a path, which together are the text; of any other text, only the second. */
export function partsOf(text: string): readonly [folders: string, name: string] {
  const [, folders = "", name = text] = /^(\S*[^\s/\\])([/\\][^\s/\\]+)$/.exec(text) ?? [];
  return [folders, name];
}

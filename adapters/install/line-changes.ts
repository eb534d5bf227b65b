// Line changes
// Compares two texts line by line.
//
//   Owns:          finding and printing the differences.
//   Does not own:  the two texts themselves.

const AROUND = 2;

/** @returns the removed (`-`) and added (`+`) lines, with those around them; empty for equal texts. */
export function lineChanges(before: string, after: string): readonly string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const marked = compare(old, now);
  const isNear = (at: number): boolean =>
    marked.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => !line.startsWith(" "));
  return marked.flatMap((line, at) => {
    if (isNear(at)) return [line];
    return at > 0 && isNear(at - 1) ? ["  …"] : [];
  });
}

const linesOf = (text: string): readonly string[] =>
  text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);

function compare(old: readonly string[], now: readonly string[]): readonly string[] {
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  const lengthAt = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--) {
      const row = common[i];
      if (row)
        row[j] =
          old[i] === now[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  const marked: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      marked.push(`  ${old[i] ?? ""}`);
      [i, j] = [i + 1, j + 1];
    } else if (j < now.length && (i === old.length || lengthAt(i, j + 1) > lengthAt(i + 1, j)))
      marked.push(`+ ${now[j++] ?? ""}`);
    else marked.push(`- ${old[i++] ?? ""}`);
  }
  return marked;
}

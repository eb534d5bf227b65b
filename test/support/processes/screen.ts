// Screen
// What a terminal shows after everything written to it.
//
//   Owns:          the few control sequences that the programs here use; counting bells.
//   Does not own:  the terminal itself (the system's).

export interface Screen {
  readonly lines: readonly string[];
  readonly bells: number;
}

const PIECE = /\u001b\[([\d;]*)([A-Za-z])|[\r\n\u0007]|[^\r\n\u0007\u001b]+/gu;

/** @throws Error for a control sequence it does not know. */
export function screenOf(written: string): Screen {
  const lines: string[] = [""];
  let [row, column, bells, end] = [0, 0, 0, 0];
  for (const found of written.matchAll(PIECE)) {
    const [piece, count, command] = found;
    if (found.index !== end) throw new Error(`Not known: ${JSON.stringify(written.slice(end, found.index))}`);
    end = found.index + piece.length;
    if (command === "F") [row, column] = [Math.max(0, row - Number(count || 1)), 0];
    else if (command === "J") lines.splice(row, lines.length, (lines[row] ?? "").slice(0, column));
    else if (command === "m") continue;
    else if (command !== undefined) throw new Error(`Not known: ${JSON.stringify(piece)}`);
    else if (piece === "\r") column = 0;
    else if (piece === "\n") row += 1;
    else if (piece === "\u0007") bells += 1;
    else {
      const line = (lines[row] ?? "").padEnd(column);
      lines[row] = line.slice(0, column) + piece + line.slice(column + piece.length);
      column += piece.length;
    }
    lines[row] ??= "";
  }
  return { lines, bells };
}

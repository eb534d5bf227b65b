// In lines
// Handles many rows at once, but those of one queue ("line") one after another.
//
//   Owns:          the order in which rows are begun; beginning none after a failure.
//   Does not own:  what is done with a row.

/** Handles every row. @returns the result of each, once all have one; a row not begun because another failed is rejected. */
export function inLines<Row>(
  rows: readonly Row[],
  lineOf: (row: Row) => string,
  step: (row: Row) => Promise<void>,
): Promise<readonly PromiseSettledResult<void>[]> {
  const lines = new Map<string, Promise<void>>();
  let failed = false;
  const all = rows.map((row) => {
    const line = lineOf(row);
    const before = lines.get(line) ?? Promise.resolve();
    const next = before.then(async () => {
      if (failed) throw new Error("The outlet did not accept an earlier row of the same session.");
      await step(row);
    });
    next.catch(() => {
      failed = true;
    });
    lines.set(line, next);
    return next;
  });
  return Promise.allSettled(all);
}

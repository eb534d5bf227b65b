// In lines
// Many rows at once, and of each line one after the other.
//
//   Owns:          the order in which they are begun; beginning none after one has failed.
//   Does not own:  what is done with a row.

/**
 * Does something with every row; of one line each waits for the one before it.
 * @returns how each ended, once all have; what had not begun when one failed is rejected, too.
 */
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
      if (failed) throw new Error("An earlier row was not taken.");
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

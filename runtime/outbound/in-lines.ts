// In lines
// Handles many rows at the same time, but the rows of one queue ("line"), such as the changes of one session, one after
// another.
//
//   Owns:          the order in which the handling of rows begins; after one row has failed, no row of any line is begun that
//                  had to wait.
//   Does not own:  what is done with a row.

/**
 * Handles all rows. Rows of the same line are handled one after another.
 * @returns the result of each row, once all rows have a result; a row that was not begun because another row failed counts as
 * rejected.
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

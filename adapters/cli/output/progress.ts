// Progress
// Draws a progress bar during long work, only on a screen, and removes the bar at the end of the work.
//
//   Owns:          how a progress bar looks.
//   Does not own:  what a progress bar counts (commands).

import { SingleBar } from "cli-progress";

export type Show = (done: number, all: number) => void;

/** @param words the text after the bar: `{value}/{total} rows`; undefined for no bar. @param all the total; 0 if not known. */
export async function withProgress<T>(
  words: string | undefined,
  all: number,
  work: (show: Show) => T | Promise<T>,
): Promise<T> {
  if (words === undefined) return work(() => undefined);
  const bar = new SingleBar({
    format: `{bar} ${words}`,
    clearOnComplete: true,
    hideCursor: true,
    noTTYOutput: false,
  });
  bar.start(all, 0);
  try {
    return await work((done, total) => {
      bar.setTotal(total);
      bar.update(done);
    });
  } finally {
    bar.stop();
  }
}

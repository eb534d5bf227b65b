// Progress
// A progress bar for long work: only on a screen, and removed when the work has ended.
//
//   Owns:          its look.
//   Does not own:  what a bar counts (commands).

import { SingleBar } from "cli-progress";

export interface Progress {
  readonly show: (done: number, all: number) => void;
  readonly stop: () => void;
}

/** @param words the text after the bar: `{value}/{total} rows`. @param all the total, if known. */
export function progressOf(words: string, all = 0): Progress {
  const bar = new SingleBar({
    format: `{bar} ${words}`,
    clearOnComplete: true,
    hideCursor: true,
    noTTYOutput: false,
  });
  bar.start(all, 0);
  return {
    show(done, total) {
      bar.setTotal(total);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

// Progress
// A bar that says how far a long piece of work is: on a screen only, and gone when the work has ended.
//
//   Owns:          what it looks like.
//   Does not own:  what it counts (commands).

import { SingleBar } from "cli-progress";

export interface Progress {
  readonly show: (done: number, all: number) => void;
  readonly stop: () => void;
}

/** @param words what stands behind the bar: `{value}/{total} rows`. @param all how much there is, where that is known. */
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

// Pace
// Decides when to read anew after a change: at once after a quiet time, and never more often than a given pace.
//
//   Owns:          when to read.
//   Does not own:  reading.

/** Asks for one more reading, soon. */
export interface Pace {
  readonly ask: () => void;
  readonly end: () => void;
}

/**
 * @param look reads the data again. Two readings never run at once, and none may throw.
 * @param everyMs the least time from the beginning of one reading to that of the next.
 */
export function paced(look: () => Promise<void>, everyMs: number): Pace {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lookedAt = -Infinity;
  let isLooking = false;
  let isEnded = false;
  /** How many readings were asked for: in all, and until the last reading began. */
  let [asked, answered] = [0, 0];
  const plan = (): void => {
    if (isEnded || isLooking || timer !== undefined) return;
    timer = setTimeout(() => void go(), Math.max(0, lookedAt + everyMs - performance.now()));
  };
  const go = async (): Promise<void> => {
    timer = undefined;
    lookedAt = performance.now();
    answered = asked;
    isLooking = true;
    await look();
    isLooking = false;
    if (asked > answered) plan();
  };
  return {
    ask() {
      asked += 1;
      plan();
    },
    end() {
      isEnded = true;
      clearTimeout(timer);
    },
  };
}

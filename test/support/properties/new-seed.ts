// New seed
// Where the values of a run's properties start, if nobody says.
//
//   Owns:          choosing it.
//   Does not own:  telling it to the tests (vitest.config, soak), repeating one that failed (failed-seeds).

const SEED_MAX = 2 ** 31 - 1;

/** A seed from 1 on that fast-check takes as it is. */
export const newSeed = (now = Date.now()): number => 1 + (now % SEED_MAX);

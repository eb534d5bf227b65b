// Buckets
// The bounds of the histograms.
//
//   Owns:          the bounds.
//   Does not own:  what is measured (runtime/traces).
//
// A tool runs for milliseconds, a user answers within hours: each bound is about four times the one before.

/** Upper bounds, in seconds; there is one more bucket above the last. */
export const BUCKETS_SECONDS: readonly number[] = [
  0.01, 0.04, 0.16, 0.64, 2.56, 10.24, 40.96, 163.84, 655.36, 2621.44, 10485.76,
];

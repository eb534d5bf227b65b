// Buckets
// The bounds of the histograms.
//
//   Owns:          the bounds.
//   Does not own:  what is measured (runtime/traces).
//
// Tools run for milliseconds, and users answer within hours, so each bound is about four times the one before.

/** The buckets' upper bounds, in seconds. One more bucket has the values above the last bound. */
export const BUCKETS_SECONDS: readonly number[] = [
  0.01, 0.04, 0.16, 0.64, 2.56, 10.24, 40.96, 163.84, 655.36, 2621.44, 10485.76,
];

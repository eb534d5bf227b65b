// Counted
// Writes a count in words, as in `1 call` and `2,000 calls`.
//
//   Owns:          choosing the singular or the plural.
//   Does not own:  counting.

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;

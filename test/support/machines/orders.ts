// Orders
// Every order of a few things.
//
//   Owns:          the list of them.
//   Does not own:  which of them can be (the tests).

/** As many as the factorial of its length. */
export function* ordersOf<T>(list: readonly T[]): Generator<readonly T[]> {
  if (list.length === 0) yield [];
  for (const [index, first] of list.entries())
    for (const rest of ordersOf(list.toSpliced(index, 1))) yield [first, ...rest];
}

// Defined
// Copies an object without the fields that are undefined.
//
//   Owns:          leaving out fields whose value is undefined.
//   Does not own:  leaving out other empty values: false, null, an empty text and an empty list stay.
//
// DEFINED-1. The copy, and its type, leave out exactly the fields whose value is undefined. The given object does not change.
// DEFINED-2. The fields of the copy have the order of the given object's fields, because stored and hashed bytes depend on the
//     order.

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

export function defined<const T extends object>(given: T): Defined<T> {
  const found: Record<string, unknown> = {};
  for (const key in given) if (given[key] !== undefined) found[key] = given[key];
  return found as Defined<T>;
}

// Defined
// The fields of an object that are not undefined.
//
//   Owns:          leaving out the keys whose value is undefined.
//   Does not own:  what else counts as nothing: false, null, an empty text or list stay.
//
// DEFINED-1. Only keys whose value is undefined are left out, of the object and of its type; the one given stays as it
//     is.
// DEFINED-2. The keys keep their order: what is stored and hashed goes by it.

/** The keys that may be undefined may be missing instead. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

export function defined<const T extends object>(given: T): Defined<T> {
  const found: Record<string, unknown> = {};
  for (const key in given) if (given[key] !== undefined) found[key] = given[key];
  return found as Defined<T>;
}

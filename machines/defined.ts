// Defined
// Leaves out the fields of an object that are undefined.
//
//   Owns:          leaving out the keys whose value is undefined.
//   Does not own:  other empty values: false, null, an empty text and an empty list stay.
//
// DEFINED-1. Only keys whose value is undefined are left out, of the object and of its type. The given object is unchanged.
// DEFINED-2. The keys keep their order, on which stored and hashed bytes depend.

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

export function defined<const T extends object>(given: T): Defined<T> {
  const found: Record<string, unknown> = {};
  for (const key in given) if (given[key] !== undefined) found[key] = given[key];
  return found as Defined<T>;
}

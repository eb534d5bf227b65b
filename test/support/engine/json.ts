// Json
// Reads foreign JSON in tests, by path and without types.
//
//   Owns:          how a test looks into a recorded line.
//   Does not own:  what the line means.

/** The value at `path`, undefined if there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (found, key) =>
      typeof found === "object" && found !== null ? (found as Record<string, unknown>)[key] : undefined,
    value,
  );
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}

/** Every string in the value, with the path of field names that leads to it. */
export function* stringsIn(
  value: unknown,
  path: readonly string[] = [],
): Generator<[path: readonly string[], text: string]> {
  if (typeof value === "string") yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) yield* stringsIn(item, [...path, key]);
}

// JSON
// Parses a text as JSON, recognises a JSON object, and calls functions that may throw because what they read is damaged.
//
//   Owns:          the result if something cannot be read, for example because a text is not JSON: undefined, not an error.
//   Does not own:  checking that a parsed value has the expected fields (each reader checks this).

/** What `read` returns; undefined if it throws. */
export function tried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

export const jsonIn = (text: string | undefined): unknown =>
  text === undefined ? undefined : tried((): unknown => JSON.parse(text));

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

// JSON
// Parses a text that should be JSON, and recognises an object.
//
//   Owns:          returning undefined instead of an error for a text that is not JSON.
//   Does not own:  the expected content (each reader).

/** The parsed value; undefined for a missing text, or a text that is not JSON. */
export function jsonIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

// JSON
// Parses a text as JSON, and recognises a JSON object.
//
//   Owns:          returning undefined, not an error, for a text that is not JSON.
//   Does not own:  checking that the value has the expected fields (each reader does).

/** The parsed value; undefined if the text is missing or is not JSON. */
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

// JSON
// Parses a text as JSON, and recognises a JSON object.
//
//   Owns:          the result for a text that is not JSON: undefined, not an error.
//   Does not own:  checking that a parsed value has the expected fields (each reader checks this).

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

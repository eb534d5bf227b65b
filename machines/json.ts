// JSON
// A text that should be JSON, and whether a value is an object of it.
//
//   Owns:          that a text which is none is no error.
//   Does not own:  what must stand in it (each reader).

/** @returns what the text says; undefined for none, and for one that is not JSON. */
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

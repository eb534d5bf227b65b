// Closed
// A JSON schema that allows no field but those it names, so that a test notices one that nobody wrote down.

/** The schema, with no field but those it names. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.entries(schema).map(([key, value]) => [key, closed(value)] as const);
  const isShut = "properties" in schema && !("additionalProperties" in schema);
  return { ...Object.fromEntries(inner), ...(isShut && { additionalProperties: false }) };
}

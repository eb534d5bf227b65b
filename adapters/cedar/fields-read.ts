// Fields read
// Finds which fields of the context a policy reads.
//
//   Owns:          finding them in Cedar's JSON form of a policy.
//   Does not own:  the fields' content (runtime/policy).
//
// FIELDS-READ-1. A policy gives the same verdict with only these fields as with all. If a policy uses the context in another way
//     than reading a field, all fields count as read.

/** @param policy as Cedar writes it in JSON. @returns undefined for all fields. */
export function fieldsRead(policy: unknown): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  const isKnown = (node: unknown): boolean => {
    if (typeof node !== "object" || node === null) return true;
    if (isContext(node)) return false;
    const field = fieldOf(node);
    if (field !== undefined) found.add(field);
    return field !== undefined || Object.values(node).every(isKnown);
  };
  return isKnown(policy) ? found : undefined;
}

const isContext = (node: object): boolean => "Var" in node && node.Var === "context";

/** `context.line`, `context has line`, `context has line.x` */
function fieldOf(node: object): string | undefined {
  const { left, attr } = (("." in node ? node["."] : "has" in node ? node.has : undefined) ?? {}) as {
    readonly left?: unknown;
    readonly attr?: unknown;
  };
  if (typeof left !== "object" || left === null || !isContext(left)) return undefined;
  const name: unknown = Array.isArray(attr) ? attr[0] : attr;
  return typeof name === "string" ? name : undefined;
}

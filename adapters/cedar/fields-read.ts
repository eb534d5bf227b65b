// Fields read
// Which fields of the context a policy reads.
//
//   Owns:          finding them in Cedar's own form of a policy.
//   Does not own:  what a field says (runtime/policy).
//
// FIELDS-READ-1. A policy decides the same with the fields that it reads as with all. One that does anything else with the
//     context than to read a field of it reads them all.

/** @param policy as Cedar writes it in JSON. @returns undefined for all of them. */
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

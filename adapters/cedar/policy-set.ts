// Policy set
// Splits a text in the Cedar language into its named policies.
//
//   Owns:          a policy's name, which policies ask a person, which texts are refused, which fields of the context (Cedar's
//                  word for the data about a call) a policy reads.
//   Does not own:  the verdict on a call (cedar).
//
// POLICY-SET-1. A policy's name is its `@id`. Without `@id`, the name is made of the policy's number in the text, from
//     `policy0` on. No two policies have the same name.
// POLICY-SET-2. A text is refused if Cedar cannot read it, if it contains a template or no policy, or if an `@effect` is unknown.
// POLICY-SET-3. A policy gives the same verdict if it gets only the fields that it reads. If a policy uses the context in any
//     other way than reading a field, all fields count as read.

import type * as Cedar from "@cedar-policy/cedar-wasm/nodejs";
import { RefusedError } from "../../runtime/errors/errors.ts";

export interface NamedPolicy {
  readonly text: string;
  readonly isAsking: boolean;
  /** The fields of the context that the policy reads; undefined if it may read any field. */
  readonly fields: ReadonlySet<string> | undefined;
}

const NAME = /^[A-Za-z][\w.-]{0,63}$/;

/** @throws RefusedError POLICY_INVALID */
export function policySet(
  cedar: Pick<typeof Cedar, "policySetTextToParts" | "policyToJson">,
  text: string,
): ReadonlyMap<string, NamedPolicy> {
  const parts = cedar.policySetTextToParts(text);
  if (parts.type === "failure") throw invalid(errorText(text, parts.errors));
  if (parts.policy_templates.length > 0) throw invalid("it has a template, which nothing here fills");
  if (parts.policies.length === 0) throw invalid("it has no policy");
  // Cedar names the policies `policy0`, `policy1` and so on, and lists them in alphabetical order: `policy10` before `policy2`.
  const names = parts.policies.map((_, n) => `policy${n}`).sort();
  const found = new Map<string, NamedPolicy>();
  for (const [n, policy] of parts.policies.entries()) {
    const read = cedar.policyToJson(policy);
    if (read.type === "failure") throw invalid(errorText(policy, read.errors));
    const { id: name = names[n] ?? "", effect } = read.json.annotations ?? {};
    if (!NAME.test(name)) throw invalid(`an @id must match ${NAME.source}`);
    if (found.has(name)) throw invalid(`two policies are called ${name}`);
    if (effect !== undefined && effect !== "ask") throw invalid(`${name} has another @effect than "ask"`);
    found.set(name, { text: policy, isAsking: effect === "ask", fields: fieldsRead(read.json) });
  }
  return found;
}

function errorText(text: string, [first]: readonly Cedar.DetailedError[]): string {
  const start = first?.sourceLocations?.[0]?.start;
  const line = start === undefined ? "" : `line ${linesIn(text, start)}: `;
  return `${line}${first?.message ?? "Cedar cannot read it"}`;
}

/** How many lines the text has up to a byte. @param end in bytes. */
const linesIn = (text: string, end: number): number =>
  Buffer.from(text).subarray(0, end).toString().split("\n").length;

const invalid = (why: string): RefusedError =>
  new RefusedError(
    "POLICY_INVALID",
    `The policy cannot be used: ${why}.`,
    "Correct the file that --cedar names, or start with --cedar none.",
  );

/**
 * @param policy the policy, as Cedar writes it in JSON.
 * @returns the fields of the context that it reads; undefined if it may read any field.
 */
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

/** The field that a policy reads: for example `line`, in `context.line`, `context has line` or `context has line.x`. */
function fieldOf(node: object): string | undefined {
  const { left, attr } = (("." in node ? node["."] : "has" in node ? node.has : undefined) ?? {}) as {
    readonly left?: unknown;
    readonly attr?: unknown;
  };
  if (typeof left !== "object" || left === null || !isContext(left)) return undefined;
  const name: unknown = Array.isArray(attr) ? attr[0] : attr;
  return typeof name === "string" ? name : undefined;
}

// Tool inputs
// Finds the tool inputs in a client's raw payload.
//
//   Owns:          recognising a tool's input, and a tool's result, by its enclosing object; replacing an input.
//   Does not own:  what is cut (shrink), what becomes a blob (lift), the meaning of an input (adapters of clients).
//
// TOOL-INPUTS-1. The engine never looks for a tool input in the result of a tool, whatever keys the result has: only the tool
//     knows what they mean.

import { RefusedError } from "../../errors/errors.ts";

/** Keys and indexes, from the outside in. */
export type Path = readonly (string | number)[];

export interface Place {
  readonly at: Path;
  readonly value: unknown;
}

/** True for a hook's `tool_input`; a permission's `toolInput`; `input` of a tool_use block, deferred call or `can_use_tool`. */
export function isToolInput(owner: object, key: string): boolean {
  if (key === "tool_input" || key === "toolInput") return true;
  if (key !== "input") return false;
  const kind = "type" in owner ? owner.type : undefined;
  const subtype = "subtype" in owner ? owner.subtype : undefined;
  if (kind === undefined && "id" in owner && "name" in owner) return true;
  return (typeof kind === "string" && kind.endsWith("tool_use")) || subtype === "can_use_tool";
}

/** `updatedInput` is what a foreign hook substituted for an input; it is never shown or matched. */
const RESULTS: ReadonlySet<string> = new Set([
  "tool_response",
  "tool_use_result",
  "toolUseResult",
  "updatedInput",
]);

export function isResult(owner: object, key: string): boolean {
  return RESULTS.has(key) || (key === "content" && "type" in owner && owner.type === "tool_result");
}

/** @param payload the payload after the check of its depth. @returns the places in order. */
export function toolInputsIn(payload: unknown): readonly Place[] {
  const found: Place[] = [];
  const walk = (value: unknown, at: Path): void => {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) return value.forEach((item, index) => walk(item, [...at, index]));
    for (const [key, item] of Object.entries(value) as [string, unknown][]) {
      if (isResult(value, key)) continue;
      if (isToolInput(value, key)) found.push({ at: [...at, key], value: item });
      else walk(item, [...at, key]);
    }
  };
  walk(payload, []);
  return found;
}

/** A copy with one place replaced, in the same order of keys. @throws RefusedError NOT_A_MESSAGE if there is no such place. */
export function replaced(payload: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(payload) && typeof key === "number" && key in payload)
    return payload.map((item: unknown, index) => (index === key ? replaced(item, rest, value) : item));
  if (
    typeof payload !== "object" ||
    payload === null ||
    Array.isArray(payload) ||
    !Object.hasOwn(payload, key)
  )
    throw noSuchPlace(key);
  // `fromEntries` gives the object a field of its own for any key, even for `__proto__`; an assignment would not.
  return Object.fromEntries(
    Object.entries(payload).map(([name, item]: [string, unknown]) => [
      name,
      name === key ? replaced(item, rest, value) : item,
    ]),
  );
}

const noSuchPlace = (key: string | number): RefusedError =>
  new RefusedError(
    "NOT_A_MESSAGE",
    `A journal entry says that its data has an input under ${JSON.stringify(key)}, but there is none.`,
    "The entry became a dead letter; nothing else changed.",
    "lifted",
  );

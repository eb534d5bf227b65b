// Tool inputs
// Finds the tool inputs in a client's raw payload.
//
//   Owns:          recognising a tool's input, and a tool's result, by its enclosing object; replacing an input.
//   Does not own:  what is cut (shrink), what becomes a blob (lift), the meaning of an input (adapters of clients).
//
// TOOL-INPUTS-1. The engine never looks for a tool input in a tool's result: only the tool knows what the result's keys mean.

import { RefusedError } from "../../errors/errors.ts";

/** Where a value is in an object: keys and indexes, the outermost first. */
export type Path = readonly (string | number)[];

export interface Place {
  readonly at: Path;
  readonly value: unknown;
}

/**
 * True if the field is a tool input: a hook's `tool_input`; a permission's `toolInput`; `input` of a tool_use block, deferred
 * call or `can_use_tool`.
 */
export function isToolInput(owner: object, key: string): boolean {
  if (key === "tool_input" || key === "toolInput") return true;
  if (key !== "input") return false;
  const kind = "type" in owner ? owner.type : undefined;
  const subtype = "subtype" in owner ? owner.subtype : undefined;
  if (kind === undefined && "id" in owner && "name" in owner) return true;
  return (typeof kind === "string" && kind.endsWith("tool_use")) || subtype === "can_use_tool";
}

/**
 * Fields that are not searched for tool inputs. `updatedInput`: what another program's hook put in place of an input; it is
 * never shown or matched.
 */
const RESULTS: ReadonlySet<string> = new Set([
  "tool_response",
  "tool_use_result",
  "toolUseResult",
  "updatedInput",
]);

export function isResult(owner: object, key: string): boolean {
  return RESULTS.has(key) || (key === "content" && "type" in owner && owner.type === "tool_result");
}

/** Finds the tool inputs in a payload. @param payload a payload whose depth was checked. @returns the places in order. */
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

/**
 * A copy of a payload with the value at one place replaced, and the keys in the same order.
 * @throws RefusedError NOT_A_MESSAGE if there is no such place.
 */
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
    `A journal entry lacks the tool input that it announces under ${JSON.stringify(key)}.`,
    "The entry became a dead letter; nothing else changed.",
    "lifted",
  );

// Parameters
// Checks the parameters of a query.
//
//   Owns:          names and values of parameters as texts, the same in every protocol.
//   Does not own:  which query has which parameters (query-table), answering queries (queries).
//
// PARAMETERS-1. An unknown parameter is refused. So a query with a misspelt filter never returns the whole list.

import { isFields } from "../../machines/json.ts";
import { defined } from "../../machines/index.ts";
import { ENTITIES } from "../rows/changes.ts";
import { RefusedError } from "../errors/errors.ts";
import type { Slice } from "./paging.ts";

export type Given = Iterable<readonly [name: string, value: string]>;
export type Parameters = Readonly<Record<string, string>>;

/** @throws RefusedError for a parameter that is not in `known`, is given twice or is empty. */
export function parametersOf(given: Given, known: readonly string[]): Parameters {
  const found = new Map<string, string>();
  for (const [name, value] of given) {
    if (!known.includes(name)) {
      const others = known.length === 0 ? "is not known here" : `is none of ${known.join(", ")}`;
      throw bad(name.slice(0, 100), others);
    }
    if (found.has(name)) throw bad(name, "came twice");
    if (value === "") throw bad(name, "is empty");
    found.set(name, value);
  }
  return Object.fromEntries(found);
}

/** Reads parameters from a JSON object. Numbers and booleans become texts. @throws RefusedError WRONG_SHAPE */
export function givenIn(value: unknown): Given {
  if (!isFields(value)) {
    throw new RefusedError(
      "WRONG_SHAPE",
      "The query is not a JSON object.",
      'Send an object of parameters, such as {"limit": 10}, or nothing.',
    );
  }
  return Object.entries(value).map(([name, item]) => {
    if (["string", "number", "boolean"].includes(typeof item)) return [name, String(item)];
    throw bad(name.slice(0, 100), "is no text, number or boolean");
  });
}

/** @throws RefusedError if the parameter is missing. */
export function required(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (value === undefined) throw bad(name, "is missing", "Add the missing parameter to the query.");
  return value;
}

export function sliceOf({ limit, cursor }: Parameters): Slice {
  return {
    ...(limit !== undefined && { limit: /^\d{1,6}$/.test(limit) ? Number(limit) : NaN }),
    ...defined({ cursor }),
  };
}

/** @throws RefusedError for an order other than newest and oldest. */
export function orderOf({ order }: Parameters): Pick<Slice, "order"> {
  if (order === undefined) return {};
  if (order === "newest" || order === "oldest") return { order };
  throw bad("order", "is neither newest nor oldest");
}

export function pick<Name extends string>(
  parameters: Parameters,
  ...names: readonly Name[]
): { readonly [K in Name]?: string } {
  const given = names.filter((name) => parameters[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, parameters[name]])) as { [K in Name]?: string };
}

/** @throws RefusedError for a state that is not among `states`. */
export function checkState({ state }: Parameters, states: readonly string[]): void {
  if (state === undefined || states.includes(state)) return;
  throw bad("state", `is none of ${states.join(", ")}`);
}

/** @throws RefusedError for an entity that never has changes. */
export function checkEntity({ entity }: Parameters): void {
  if (entity === undefined || ENTITIES.some((each) => each === entity)) return;
  throw bad("entity", `is none of ${ENTITIES.join(", ")}`);
}

/** @returns false if the parameter is missing. @throws RefusedError for a value other than true and false. */
export function isTrue(parameters: Parameters, name: string): boolean {
  const text = parameters[name] ?? "false";
  if (text !== "true" && text !== "false") throw bad(name, "is neither true nor false");
  return text === "true";
}

/** @returns undefined if the parameter is missing. @throws RefusedError for a value that is not a whole number. */
export function countOf(parameters: Parameters, name: string): number | undefined {
  const text = parameters[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw bad(name, "is no whole number");
  return Number(text);
}

/** Reads the times `since` and `until`, each in ms or as ISO 8601. */
export function timesOf(parameters: Parameters): { readonly since?: number; readonly until?: number } {
  const since = timeOf(parameters, "since");
  const until = timeOf(parameters, "until");
  return defined({ since, until });
}

function timeOf(parameters: Parameters, name: string): number | undefined {
  const text = parameters[name];
  if (text === undefined) return undefined;
  const at = /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(at) || at < 0) throw bad(name, "is no time: write ms, or 2026-01-31T12:00:00Z");
  return at;
}

export const bad = (
  name: string,
  why: string,
  next = "Correct the parameter, or leave it out.",
): RefusedError => new RefusedError("BAD_PARAMETER", `The parameter ${name} ${why}.`, next, name);

// Query
// The parameters of a question, checked.
//
//   Owns:          what may be asked for and how it is written.
//   Does not own:  the answers (runtime/queries).
//
// H9. A parameter that is not known is refused: a misspelt filter never answers with everything.

import { RefusedError } from "../../runtime/errors.ts";
import type { Slice } from "../../runtime/paging.ts";

export type Parameters = Readonly<Record<string, string>>;

const SLICE = ["limit", "cursor"] as const;

/** @throws RefusedError for a parameter that is not among `known`, comes twice or is empty. */
export function parametersOf(url: string, known: readonly string[]): Parameters {
  const given = new URL(url).searchParams;
  for (const [name, value] of given) {
    if (!known.includes(name)) throw bad(name, `is none of ${known.join(", ")}`);
    if (given.getAll(name).length > 1) throw bad(name, "came twice");
    if (value === "") throw bad(name, "is empty");
  }
  return Object.fromEntries(given);
}

/** As `parametersOf`, for a list: with `limit` and `cursor`. */
export function listParametersOf(url: string, known: readonly string[]): Parameters {
  return parametersOf(url, [...known, ...SLICE]);
}

export function sliceOf({ limit, cursor }: Parameters): Slice {
  return {
    ...(limit !== undefined && { limit: /^\d{1,6}$/.test(limit) ? Number(limit) : NaN }),
    ...(cursor !== undefined && { cursor }),
  };
}

/** The named parameters that were given. */
export function pick<Name extends string>(
  parameters: Parameters,
  ...names: readonly Name[]
): { readonly [K in Name]?: string } {
  const given = names.filter((name) => parameters[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, parameters[name]])) as { [K in Name]?: string };
}

/** @throws RefusedError when it is given and none of `states`. */
export function checkState({ state }: Parameters, states: readonly string[]): void {
  if (state === undefined || states.includes(state)) return;
  throw bad("state", `is none of ${states.join(", ")}`);
}

/** A time in ms, or as ISO 8601. */
export function timesOf(parameters: Parameters): { readonly since?: number; readonly until?: number } {
  const since = timeOf(parameters, "since");
  const until = timeOf(parameters, "until");
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}

function timeOf(parameters: Parameters, name: string): number | undefined {
  const text = parameters[name];
  if (text === undefined) return undefined;
  const at = /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(at) || at < 0) throw bad(name, "is no time: write ms, or 2026-01-31T12:00:00Z");
  return at;
}

const bad = (name: string, why: string): RefusedError =>
  new RefusedError("BAD_PARAMETER", `The parameter ${name} ${why}.`, "Correct it, or leave it out.", name);

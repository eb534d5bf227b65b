// Given options
// Checks the options that a program gives to a function or class of the library.
//
//   Owns:          checking the options, and the text of the error.
//   Does not own:  the list of options, and which values are valid (the function or class that takes the options).
//
// GIVEN-OPTIONS-1. If a needed option is missing, or an option has the wrong type, the error names the option and the type that
//     it takes. The program never gets an error of Node or of another library instead.

import { RefusedError } from "./errors.ts";

const KINDS = {
  text: (value: unknown) => typeof value === "string",
  "a number": (value: unknown) => typeof value === "number" && !Number.isNaN(value),
  "true or false": (value: unknown) => typeof value === "boolean",
  "a function": (value: unknown) => typeof value === "function",
  "a list of texts": (value: unknown) =>
    Array.isArray(value) && value.every((each) => typeof each === "string"),
  "an object": (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value),
  // An option that takes several types is checked where it is used.
  anything: () => true,
} as const;

export type Kind = keyof typeof KINDS;

/** The type of each option, by name. A `!` marks a required option. */
export type Options = Readonly<Record<string, Kind | `${Kind}!`>>;

/**
 * @param what the function or class, as written in code: `createEngine`, `new RequestTracker`.
 * @param given the program's value; an undefined option counts as left out.
 * @throws RefusedError BAD_OPTION
 */
export function checkOptions(what: string, given: unknown, options: Options): void {
  const names = Object.keys(options).join(", ");
  if (!isOf("an object", given)) throw bad(what, "takes its options as an object", `It has ${names}.`);
  for (const [name, kind] of Object.entries(options))
    checkValue(what, name, Reflect.get(Object(given), name), kind, names);
}

/** Checks the type of one argument, as `checkOptions` does for options. @throws RefusedError BAD_OPTION */
export function checkArgument(what: string, name: string, value: unknown, kind: Kind): void {
  checkValue(what, name, value, `${kind}!`, name);
}

function checkValue(what: string, name: string, value: unknown, kind: Options[string], names: string): void {
  const isNeeded = kind.endsWith("!");
  const plain = (isNeeded ? kind.slice(0, -1) : kind) as Kind;
  if (value === undefined && !isNeeded) return;
  if (value === undefined)
    throw bad(what, `needs ${name}, ${plain}`, `Give ${name}; the options are ${names}.`, name);
  if (!isOf(plain, value))
    throw bad(what, `takes ${plain} as ${name}, and got ${wordFor(value)}`, `Give it ${plain}.`, name);
}

const isOf = (kind: Kind, value: unknown): boolean => KINDS[kind](value);

function wordFor(value: unknown): string {
  if (value === null || Number.isNaN(value)) return String(value);
  const kind = Object.entries(KINDS).find(([, holds]) => holds(value))?.[0];
  if (Array.isArray(value)) return "a list";
  return kind === undefined || kind === "anything" ? `a ${typeof value}` : kind;
}

const bad = (what: string, fault: string, next: string, path?: string): RefusedError =>
  new RefusedError("BAD_OPTION", `${what} ${fault}.`, next, path);

// Canonical
// The canonical text of a JSON value, and its hash; and the object that stands for a tool input that is stored as a blob.
//
//   Owns:          the canonical form: sorted keys, no spaces; the class of the references to blobs.
//   Does not own:  parsing a payload from outside; limits on a payload's size and number of keys; where in a message a reference
//                  to a blob is (lift).
//
// CANONICAL-1. Equal JSON values have equal canonical texts; different values have different texts. Numbers are compared as
//     JSON.parse returns them: digits beyond the precision of a double are lost before, and -0 counts as 0.
// CANONICAL-2. JSON.parse turns the canonical text back into the value. `__proto__` and `xstate$$type` are keys like all others.
// CANONICAL-3. A value that JSON cannot express, or that is nested deeper than `MAX_DEPTH`, is refused.

import { hash } from "node:crypto";
import type { LiftedInput, ToolInput, WrittenInput } from "../machines/inputs.ts";
import { RefusedError } from "./errors/errors.ts";

/** The deepest nesting of arrays and objects, including the outermost. */
export const MAX_DEPTH = 64;

/**
 * Stands in a payload for a tool input that is stored as a blob. No JSON text can be parsed to an object of this class.
 */
export class InputReference {
  readonly input: LiftedInput;

  constructor(input: LiftedInput) {
    this.input = input;
  }
}

/**
 * A tool input in the form in which it is stored and hashed. @param value a parsed JSON value, or the reference to an input
 * stored as a blob.
 * @throws RefusedError that names no field (CANONICAL-3).
 */
export function givenInput(value: unknown): ToolInput {
  return value instanceof InputReference ? value.input : toolInput(value);
}

/** A tool input as it is stored and hashed. @throws RefusedError that names no field (CANONICAL-3). */
export function toolInput(value: unknown): WrittenInput {
  const text = canonicalText(value);
  return { text, hash: hash("sha256", text, "hex") };
}

/** The value as canonical JSON. @throws RefusedError that names no field (CANONICAL-3). */
export function canonicalText(value: unknown): string {
  return write(value, MAX_DEPTH);
}

function write(value: unknown, levels: number): string {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (!isContainer(value)) throw notJson(value);
  if (levels === 0) throw tooDeep();
  return Array.isArray(value) ? writeArray(value, levels - 1) : writeObject(value, levels - 1);
}

type Container = Readonly<Record<string, unknown>>;
const isContainer = (value: unknown): value is Container => typeof value === "object";

function writeArray(items: readonly unknown[], levels: number): string {
  let text = "";
  for (const item of items) text += (text === "" ? "[" : ",") + write(item, levels);
  return text === "" ? "[]" : `${text}]`;
}

function writeObject(fields: Container, levels: number): string {
  let text = "";
  for (const key of Object.keys(fields).sort()) {
    text += `${text === "" ? "{" : ","}${JSON.stringify(key)}:${write(fields[key], levels)}`;
  }
  return text === "" ? "{}" : `${text}}`;
}

const notJson = (value: unknown): RefusedError =>
  new RefusedError("NOT_JSON", `JSON cannot express ${String(value)}.`, "Send JSON values only.");

const tooDeep = (): RefusedError =>
  new RefusedError(
    "TOO_DEEP",
    `A value is nested deeper than ${MAX_DEPTH} levels.`,
    "Send a value with fewer levels.",
  );

// Foreign fields
// Reads known fields of a JSON object in another program's format, one by one.
//
//   Owns:          which values count as absent, and which are refused; the path in a refusal; which texts are times.
//   Does not own:  which fields an event or a transcript line has (each reader).
//
// FOREIGN-FIELDS-1. If a field that matters (a name, a kind, an id, the list of blocks) has the wrong type, the whole value
//     is refused with the field's path.
// FOREIGN-FIELDS-2. If a field that is only shown to people (a time, a model, a text) has the wrong type, the field is ignored.
// FOREIGN-FIELDS-3. Fields that no reader asks for are never read or checked, because other programs add fields to these formats.
// FOREIGN-FIELDS-4. A time has the same meaning on every machine: a time without a zone is in UTC. Turns read times, and must
//     give the same result on every machine.

import { isFields } from "../machines/json.ts";
import { RefusedError } from "./errors/errors.ts";
import { toId } from "./foreign-id.ts";

export interface Fields {
  /** The object's path in the payload; empty for the payload itself. */
  readonly at: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export const pathOf = (fields: Fields, key: string): string =>
  fields.at === "" ? key : `${fields.at}.${key}`;

/** @throws RefusedError if `value` is no JSON object. */
export function fieldsOf(value: unknown, at = ""): Fields {
  if (!isFields(value)) throw wrongShape(at, "a JSON object", value);
  return { at, values: value };
}

/** @throws RefusedError if there is no object under `key`. */
export function child(fields: Fields, key: string): Fields {
  return fieldsOf(fields.values[key], pathOf(fields, key));
}

/** The object under `key`, or undefined (FOREIGN-FIELDS-2). */
export function optionalChild(fields: Fields, key: string): Fields | undefined {
  const value = fields.values[key];
  return isFields(value) ? { at: pathOf(fields, key), values: value } : undefined;
}

/** @throws RefusedError if there is no list under `key`, or an element is not an object. */
export function children(fields: Fields, key: string): readonly Fields[] {
  const value = fields.values[key];
  if (!Array.isArray(value)) throw wrongShape(pathOf(fields, key), "a list", value);
  return value.map((item, index) => fieldsOf(item, `${pathOf(fields, key)}[${index}]`));
}

/** @throws RefusedError if the field is not a string, or empty. */
export function requiredName(fields: Fields, key: string): string {
  const value = fields.values[key];
  if (typeof value !== "string" || value === "") throw wrongShape(pathOf(fields, key), "a name", value);
  return value;
}

/** @throws RefusedError if the field exists and is not a string, or empty. */
export function optionalName(fields: Fields, key: string): string | undefined {
  return fields.values[key] === undefined ? undefined : requiredName(fields, key);
}

/** The field as a valid id. @throws RefusedError if the field is missing, empty or no string. */
export function requiredId(fields: Fields, key: string): string {
  return named(pathOf(fields, key), () => toId(requiredName(fields, key)));
}

/** @throws RefusedError if the id exists, and is empty, null or no string. */
export function optionalId(fields: Fields, key: string): string | undefined {
  return fields.values[key] === undefined ? undefined : requiredId(fields, key);
}

/** The field as a text; undefined if the field is absent, empty or no string (FOREIGN-FIELDS-2). */
export function optionalText(fields: Fields, key: string): string | undefined {
  const value = fields.values[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The field as a number of at least 0; undefined for any other value (FOREIGN-FIELDS-2). */
export function optionalAmount(fields: Fields, key: string): number | undefined {
  const value = fields.values[key];
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Reads a field with an ISO 8601 time, as ms since 1970; undefined for any other value (FOREIGN-FIELDS-2). */
export function optionalTime(fields: Fields, key: string): number | undefined {
  return readTime(optionalText(fields, key) ?? "");
}

/** Runs `take`. If `take` throws a refusal, the refusal gets the path `at`. */
export function named<T>(at: string, take: () => T): T {
  try {
    return take();
  } catch (error) {
    if (!(error instanceof RefusedError) || error.path !== undefined) throw error;
    throw new RefusedError(error.code, `${at}: ${error.message}`, error.next, at);
  }
}

export function wrongShape(at: string, wanted: string, found: unknown): RefusedError {
  const where = at === "" ? "The payload" : at;
  const kind = found === null ? "null" : Array.isArray(found) ? "a list" : typeof found;
  return new RefusedError(
    "WRONG_SHAPE",
    `${where} is not ${wanted} (${found === "" ? "empty" : kind}).`,
    "Send the payload as the client wrote it.",
    at,
  );
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Reads an ISO 8601 time, as ms since 1970; undefined for any other text. */
export function readTime(text: string): number | undefined {
  const [, date, time = "00:00", zone = "Z"] = ISO.exec(text) ?? [];
  const value = date === undefined ? NaN : Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(value) ? undefined : value;
}

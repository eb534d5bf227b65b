// Limits
// How large, how deep and how wide a message may be.
//
//   Owns:          the limits in docs/reference/nats.md, checking a message against them in one pass; how much of a disk must
//                  stay free.
//   Does not own:  cutting what is too long in a raw payload (shrink), reading bytes (parse).
//
// LIMITS-1. Each key and element of a value is visited once, so the time of the check is proportional to the size of the message.
// LIMITS-2. The keys `__proto__`, `constructor` and `prototype` are refused in every value that the engine keeps as an object.

import { RefusedError } from "./errors/errors.ts";
import { MAX_DEPTH } from "./canonical.ts";

/** The greatest length of a message, as JSON. */
export const MESSAGE_BYTES_MAX = 256 * 1024;
/** The greatest length of a client's raw payload, as JSON, before the payload is cut. */
export const RAW_BYTES_MAX = 8 * 1024 * 1024;
export const EVENTS_MAX = 1_000;
/** Messages of sources leave this many bytes of a disk free; the engine's own messages leave a quarter of these bytes free. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** The share of a small disk that messages of sources leave free. */
const KEPT_SHARE = 1 / 8;
/** The most keys that all objects of a message may have together. */
const KEYS_MAX = 10_000;

/** The place of a value in a message. Its path is made only for a refusal, because that takes time. */
interface Place {
  readonly up: Place | undefined;
  readonly key: string | number;
}

export const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const PATH_MAX = 200;

export interface Shape {
  /** The path of the checked value: `data`, or empty if the value is the whole message. */
  readonly at: string;
  /** Returns true for a key whose value is stored as text, so that no key within that value can do harm. */
  readonly isText: (key: string, level: number) => boolean;
}

/** How many bytes of a disk the engine leaves free. @param bytes the disk's size. */
export const keptFree = (bytes: number): number => Math.min(KEPT_BYTES, bytes * KEPT_SHARE);

/** @throws RefusedError NOT_JSON, TOO_DEEP, TOO_MANY_KEYS or FORBIDDEN_KEY, with the path. */
export function checkShape(value: unknown, shape: Shape): void {
  let keys = 0;
  const walk = (part: unknown, level: number, place: Place, guarded: boolean): void => {
    if (typeof part === "number" && !Number.isFinite(part)) throw tooBig(pathOf(place));
    if (typeof part !== "object" || part === null) return;
    if (level > MAX_DEPTH) throw tooDeep(pathOf(place));
    if (Array.isArray(part)) {
      part.forEach((item, key) => walk(item, level + 1, { up: place, key }, guarded));
      return;
    }
    for (const [key, item] of Object.entries(part)) {
      keys += 1;
      if (keys > KEYS_MAX) throw tooMany(pathOf(place));
      if (guarded && FORBIDDEN.has(key)) throw forbidden(pathOf({ up: place, key }));
      walk(item, level + 1, { up: place, key }, guarded && !shape.isText(key, level));
    }
  };
  walk(value, 1, { up: undefined, key: shape.at }, true);
}

function pathOf(place: Place): string {
  const parts: (string | number)[] = [];
  for (let at: Place | undefined = place; at; at = at.up) parts.unshift(at.key);
  const path = joinPath(parts);
  return path.length > PATH_MAX ? `${path.slice(0, PATH_MAX)}…` : path;
}

/** Makes a path such as `data.calls[0].tool` from its parts. */
export function joinPath(parts: readonly PropertyKey[]): string {
  return parts.reduce<string>((path, part) => {
    if (typeof part === "number") return `${path}[${part}]`;
    return path === "" ? String(part) : `${path}.${String(part)}`;
  }, "");
}

/** @throws RefusedError TOO_LARGE if a message of `bytes` is longer than `max`. */
export function checkSize(bytes: number, max: number): void {
  if (bytes > max) throw tooLarge(bytes, max);
}

export const tooLarge = (bytes: number, max: number): RefusedError =>
  new RefusedError(
    "TOO_LARGE",
    `The message has ${bytes} bytes; the limit is ${max}.`,
    "Send less, or send large texts by reference.",
  );

export const tooDeep = (path: string): RefusedError =>
  new RefusedError(
    "TOO_DEEP",
    `${path === "" ? "The value" : path} is nested deeper than ${MAX_DEPTH} levels.`,
    "Send a value with fewer levels.",
    path,
  );

const tooMany = (path: string): RefusedError =>
  new RefusedError(
    "TOO_MANY_KEYS",
    `The message has more than ${KEYS_MAX} keys; the limit was passed in ${path === "" ? "it" : path}.`,
    "Send fewer fields, or send the value as one text.",
    path,
  );

/** The error for a number that a JSON journal would store as null. */
const tooBig = (path: string): RefusedError =>
  new RefusedError(
    "NOT_JSON",
    `${path === "" ? "The value" : path} is a number beyond what JSON readers can hold.`,
    "Send the number as a text.",
    path,
  );

const forbidden = (path: string): RefusedError =>
  new RefusedError(
    "FORBIDDEN_KEY",
    `The field ${path} has a name that Signalbox does not accept.`,
    "Send the value without this field.",
    path,
  );

// Parse
// Parses bytes from outside into a JSON value.
//
//   Owns:          refusing a text that is not JSON in UTF-8, or whose value would cost too much to build; reading a body with
//                  one message.
//   Does not own:  the exact limits of a message, and the path of the field that exceeds one (limits).
//
// PARSE-1. The bytes are scanned once before anything is built, so endless nesting or millions of parts never reach the parser.

import { RefusedError } from "../errors/errors.ts";
import { MAX_DEPTH } from "../canonical.ts";
import { endOfString, inexactNumberIn } from "../text/exact-numbers.ts";
import { checkShape, checkSize, MESSAGE_BYTES_MAX, type Shape } from "../limits.ts";

/** How many more levels a body may have around a payload: a list of envelopes, an envelope, a wrapped payload. */
const WRAPPERS = 4;
const PARTS_MAX = 400_000;

/** @throws RefusedError NOT_JSON, TOO_DEEP or TOO_MANY_KEYS. */
export function parseBytes(bytes: Uint8Array): unknown {
  scan(bytes);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RefusedError("NOT_JSON", `The body is not JSON: ${reason}.`, "Send JSON, encoded as UTF-8.");
  }
}

/** Parses one message. @throws RefusedError for an invalid message; with the path, if a limit is broken. */
export function parseBody(body: Uint8Array, isText: Shape["isText"], bytesMax = MESSAGE_BYTES_MAX): unknown {
  checkSize(body.length, bytesMax);
  const value = parseBytes(body);
  checkShape(value, { at: "", isText });
  return value;
}

/** Refuses a number that parsing would change. @param body well-formed JSON in UTF-8. @throws RefusedError INEXACT_NUMBER */
export function checkNumbers(body: Uint8Array): void {
  const found = inexactNumberIn(body);
  if (found === undefined) return;
  throw new RefusedError(
    "INEXACT_NUMBER",
    `The number ${found.slice(0, 64)} has more digits than can be kept, so nobody could approve exactly this input.`,
    "Send the number as a text, in quotes.",
  );
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENS: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSES: ReadonlySet<number> = new Set([0x5d, 0x7d]);

function scan(bytes: Uint8Array): void {
  let levels = 0;
  let parts = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfString(bytes, at + 1);
    else if (byte === COMMA) parts += 1;
    else if (OPENS.has(byte)) {
      parts += 1;
      levels += 1;
      if (levels > MAX_DEPTH + WRAPPERS) throw tooDeep();
    } else if (CLOSES.has(byte)) levels -= 1;
    if (parts > PARTS_MAX) throw tooMany();
  }
}

const tooDeep = (): RefusedError =>
  new RefusedError(
    "TOO_DEEP",
    `The data in the body is nested deeper than ${MAX_DEPTH} levels.`,
    "Send a body with fewer levels.",
    "data",
  );

const tooMany = (): RefusedError =>
  new RefusedError(
    "TOO_MANY_KEYS",
    `The body has more than ${PARTS_MAX} values.`,
    "Send fewer values in one body.",
  );

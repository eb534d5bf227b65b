// Foreign id
// Makes ids that are valid in a subject, a path or a key: from an id that a source chose, or from the facts about a thing that
// has no id.
//
//   Owns:          the hashed form of ids that sources choose; ids that are derived from the facts about a thing.
//   Does not own:  the form of an id (machines/ids.ts); ids that are made from a journal position.
//
// FOREIGN-ID-1. The same foreign id always gives the same id, and two different foreign ids give different ids.
// FOREIGN-ID-2. A derived id depends on every part from which it is derived, and on the boundaries between the parts.

import { createHash } from "node:crypto";
import { isId } from "../machines/ids.ts";
import { RefusedError } from "./errors/errors.ts";
import { checkArgument } from "./errors/given-options.ts";

/**
 * @param foreign the id as the source wrote it. A valid id is kept; any other becomes `h_` and its SHA-256 in base32.
 * @throws RefusedError if it is not a text, is empty or contains half a surrogate pair, which UTF-8 cannot encode.
 */
export function toId(foreign: string): string {
  checkArgument("toId", "foreign", foreign, "text");
  if (isId(foreign)) return foreign;
  if (foreign === "")
    throw new RefusedError("BAD_ID", "An id is empty.", "Send an id, or leave the field out.");
  if (/\p{Surrogate}/u.test(foreign)) {
    throw new RefusedError("BAD_ID", "An id is not valid Unicode text.", "Send the id as valid UTF-8.");
  }
  return `h_${base32(createHash("sha256").update(foreign).digest())}`;
}

/** @returns `prefix` and the SHA-256, in base32, of the parts as a JSON array. */
export function digestId(prefix: string, parts: readonly string[]): string {
  return prefix + base32(createHash("sha256").update(JSON.stringify(parts)).digest());
}

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** RFC 4648 base32, lower case, without padding. */
export function base32(bytes: Uint8Array): string {
  let text = "";
  let pending = 0;
  let bits = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((pending >>> bits) & 31);
    }
    pending &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET.charAt((pending << (5 - bits)) & 31);
}

// Exact numbers
// Finds numbers in a JSON text that parsing would change: a person would approve another number than the one that is used.
//
//   Owns:          which numbers count as changed by parsing.
//   Does not own:  which texts must not contain such a number (the doors at which approvals are requested and answered).
//
// EXACT-NUMBERS-1. A number counts as changed if parsing changes its digits. Leading and trailing zeros do not count, because
//     programs write them differently.

const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x30, 0x39];
/** The bytes that a number may contain after its first character. */
const IN_NUMBER: ReadonlySet<number | undefined> = new Set(new TextEncoder().encode("0123456789.eE+-"));
/** Parsing never changes a number of at most this many digits. */
const DIGITS_SAFE = 15;

/** @param body well-formed JSON in UTF-8. @returns the first number that parsing would change; undefined if there is none. */
export function inexactNumberIn(body: Uint8Array): string | undefined {
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte === QUOTE) at = endOfString(body, at + 1);
    if (byte !== MINUS && (byte < ZERO || byte > NINE)) continue;
    let end = at + 1;
    while (IN_NUMBER.has(body[end])) end += 1;
    const number = end - at > DIGITS_SAFE ? new TextDecoder().decode(body.subarray(at, end)) : "";
    if (isInexact(number)) return number;
    at = end - 1;
  }
  return undefined;
}

function isInexact(number: string): boolean {
  const digits = digitsOf(number);
  return digits.length > DIGITS_SAFE && digits !== digitsOf(JSON.stringify(Number(number)));
}

/** @param from behind the opening quote. @returns the place of the closing quote. */
export function endOfString(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

const digitsOf = (number: string): string =>
  number
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|0+$/g, "");

// Writes
// Checks all writes to a store or a journal before any of them is applied, in the same way for every implementation.
//
//   Owns:          how long a key may be; which keys and which texts are refused.
//   Does not own:  the content of rows (rows/keys), writing rows (adapters/).
//
// WRITES-1. If one write of a list is refused, no write of the list is applied.
// WRITES-2. Every text is stored unchanged: a text that UTF-8 cannot encode is refused, and not altered.

import { RefusedError } from "./errors/errors.ts";
import type { Write } from "./ports.ts";

const KEY_BYTES_MAX = 1000;

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

declare global {
  // Node has the ES2024 method `isWellFormed` since version 20, but the TypeScript library of this project ends at ES2023.
  interface String {
    isWellFormed(): boolean;
  }
}

/** True for a key that every store accepts. */
export function isKey(key: string): boolean {
  return key.length <= KEY_BYTES_MAX && PRINTABLE_ASCII.test(key);
}

/** @throws RefusedError naming the first write that a store cannot keep. */
export function checkWrites(writes: readonly Write[]): void {
  for (const write of writes) {
    const key = "put" in write ? write.put : write.del;
    if (!isKey(key)) {
      throw new RefusedError(
        "BAD_KEY",
        `A key must be 1 to ${KEY_BYTES_MAX} printable ASCII characters; this one has ${key.length}: ${JSON.stringify(key.slice(0, 80))}.`,
        "Nothing of this commit was written. Build keys only from ids that were checked.",
      );
    }
    if ("put" in write) checkText(write.value, key);
  }
}

/**
 * @throws RefusedError for text with half a surrogate pair, which UTF-8 cannot encode. @param name names the text in the error.
 */
export function checkText(text: string, name: string): void {
  if (text.isWellFormed()) return;
  throw new RefusedError(
    "BAD_TEXT",
    `The text for "${name}" has half a surrogate pair and would be changed by writing it.`,
    "Nothing was written. Escape the text (JSON.stringify does), or refuse it before it is accepted.",
  );
}

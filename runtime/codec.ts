// Codec
// Values of the overlay as text of the store, and back.
//
//   Owns:          which rows are actors, which are plain JSON.
//   Does not own:  what a snapshot looks like (actors), where text is kept (ports).
//
// I-25. decode(encode(x)) = x, also for hostile tool input: that is text inside, never an object.

import { type Address, parseAddress } from "../machines/index.ts";
import { persist, restore, type Snapshot } from "./actors.ts";
import { InvariantViolation } from "./errors.ts";
import { keys } from "./keys.ts";

export function encode(key: string, value: unknown): string {
  if (!key.startsWith(keys.actors)) return JSON.stringify(value);
  // Only delivery writes actor rows, and only with snapshots.
  return persist(value as Snapshot);
}

/** @throws InvariantViolation when the text is not what `encode` made. */
export function decode(key: string, text: string): unknown {
  if (key.startsWith(keys.actors)) {
    const address = key.slice(keys.actors.length) as Address;
    return restore(parseAddress(address).kind, address, text);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new InvariantViolation(
      "BAD_RECORD",
      `The record ${key} is not JSON.`,
      "The session is stopped; export it and report this.",
      { cause },
    );
  }
}

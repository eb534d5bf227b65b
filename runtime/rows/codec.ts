// Codec
// Turns values of the overlay into text for the store, and back.
//
//   Owns:          which rows are actors, which are plain JSON.
//   Does not own:  what an actor's row looks like (actor-rows), where text is kept (ports).
//
// I-25. decode(encode(x)) = x, also for hostile tool input: that stays text, never an object.

import type { Address } from "../../machines/index.ts";
import { type ActorRow, decodeActor, encodeActor } from "./actor-rows.ts";
import { InvariantViolation } from "../errors.ts";
import { keys } from "./keys.ts";

export function encode(key: string, value: unknown): string {
  if (!key.startsWith(keys.actors)) return JSON.stringify(value);
  // Only actor rows stand under these keys (actor-rows).
  return encodeActor(value as ActorRow);
}

/** @throws InvariantViolation if the text is not what `encode` made. */
export function decode(key: string, text: string): unknown {
  if (key.startsWith(keys.actors)) return decodeActor(key.slice(keys.actors.length) as Address, text);
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

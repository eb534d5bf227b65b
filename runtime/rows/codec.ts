// Codec
// Turns values of the overlay into text for the store, and back.
//
//   Owns:          which rows are actors, which are changes, which are plain JSON.
//   Does not own:  the row of an actor (actor-rows) or of a turn (turn-changes), storing text (ports).
//
// I-25. decode(encode(x)) = x, also for hostile tool input, which stays text and never becomes an object.

import type { Address } from "../../machines/index.ts";
import { type ActorRow, decodeActor, encodeActor } from "./actors/actor-rows.ts";
import { InvariantViolation } from "../errors/errors.ts";
import { keys } from "./keys.ts";
import { decodeTurnChanges, encodeTurnChanges, type TurnChanges } from "./turn-changes.ts";

export function encode(key: string, value: unknown): string {
  // Only the changes of a turn have these keys (turn).
  if (key.startsWith(keys.changes)) return encodeTurnChanges(value as TurnChanges);
  if (!key.startsWith(keys.actors)) return JSON.stringify(value);
  // Only actor rows have these keys (actor-rows).
  return encodeActor(value as ActorRow);
}

/** @throws InvariantViolation if the text is not what `encode` made. */
export function decode(key: string, text: string): unknown {
  if (key.startsWith(keys.actors)) return decodeActor(key.slice(keys.actors.length) as Address, text);
  try {
    return key.startsWith(keys.changes) ? decodeTurnChanges(text) : (JSON.parse(text) as unknown);
  } catch (cause) {
    throw new InvariantViolation(
      "BAD_RECORD",
      `The record ${key} cannot be read.`,
      "The session is stopped; export it and report this.",
      { cause },
    );
  }
}

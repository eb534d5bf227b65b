// Codec
// Turns the values of rows into text for the store, and back.
//
//   Owns:          which rows contain actors, which contain changes, and which contain plain JSON.
//   Does not own:  the text of an actor (actor-rows) or of a turn's changes (turn-changes), storing text (ports).
//
// I-25. decode(encode(x)) = x, also for a hostile tool input: a tool input's text is decoded as text, and never becomes an
//     object.

import type { Address } from "../../machines/index.ts";
import { type ActorRow, decodeActor, encodeActor } from "./actors/actor-rows.ts";
import { InvariantViolation } from "../errors/errors.ts";
import { keys } from "./keys.ts";
import { decodeTurnChanges, encodeTurnChanges, type TurnChanges } from "./turn-changes.ts";

export function encode(key: string, value: unknown): string {
  // The cast is safe: only rows with the changes of a turn have a key with this prefix (turn).
  if (key.startsWith(keys.changes)) return encodeTurnChanges(value as TurnChanges);
  if (!key.startsWith(keys.actors)) return JSON.stringify(value);
  // The cast is safe: only actor rows have a key with this prefix (actor-rows).
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

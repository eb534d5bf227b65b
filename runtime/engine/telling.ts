// Telling
// What the owner of the engine hears of turns that are durable.
//
//   Owns:          which results are told.
//   Does not own:  who hears them, and in which words (adapters).

import { POISON } from "../turn/set-aside/poison.ts";
import type { TurnResult } from "../turn/turn-result.ts";
import type { EngineOptions } from "./engine-options.ts";

/** Tells of entries that were set aside as poison, and of warnings. */
export function tellOwner(
  results: readonly TurnResult[],
  { onPoison, onWarning }: Pick<EngineOptions, "onPoison" | "onWarning">,
): void {
  for (const { code, warning, position } of results) {
    if (code === POISON) onPoison?.(position);
    if (warning) onWarning?.(warning, position);
  }
}

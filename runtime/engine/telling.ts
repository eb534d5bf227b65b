// Telling
// Reports results of durable turns to the program that runs the engine.
//
//   Owns:          which results are reported.
//   Does not own:  showing the reports, and their wording (adapters).

import { POISON } from "../turn/set-aside/poison.ts";
import type { TurnResult } from "../turn/turn-result.ts";
import type { EngineOptions } from "./engine-options.ts";

/** Reports entries that were set aside as poison, and warnings. */
export function tellOwner(
  results: readonly TurnResult[],
  { onPoison, onWarning }: Pick<EngineOptions, "onPoison" | "onWarning">,
): void {
  for (const { code, warning, position } of results) {
    if (code === POISON) onPoison?.(position);
    if (warning) onWarning?.(warning, position);
  }
}

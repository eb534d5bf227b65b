// Telling
// Reports results of durable turns to the program that runs the engine, and to people.
//
//   Owns:          which results are reported; the trouble WRONG_PARTITION.
//   Does not own:  showing the reports, and their wording (adapters).
//
// ENGINE-TELLING-1. If the journal contains a message of another partition, the engine reports a trouble until no such message
//     has come for an hour of journal time. The message came past the doors, which would have refused it, so its sender does
//     not know that it was not applied.

import { OTHER_PARTITION } from "../cluster/partition.ts";
import type { Trouble } from "../errors/trouble.ts";
import { POISON } from "../turn/set-aside/poison.ts";
import type { TurnResult } from "../turn/turn-result.ts";
import type { EngineOptions } from "./engine-options.ts";

const HOUR_MS = 60 * 60 * 1000;

export class Telling {
  /**
   * How many messages of other partitions arrived since the trouble began, and when the last one arrived, by the journal's
   * clock, ms.
   */
  #misled: { readonly count: number; readonly since: number; readonly last: number } | undefined;

  /** Reports entries that were set aside as poison, and warnings; counts messages of other partitions. */
  tell(
    results: readonly TurnResult[],
    { onPoison, onWarning }: Pick<EngineOptions, "onPoison" | "onWarning">,
  ): void {
    for (const { code, warning, position, at } of results) {
      if (code === POISON) onPoison?.(position);
      if (this.#misled && at - this.#misled.last >= HOUR_MS) this.#misled = undefined;
      if (code === OTHER_PARTITION) {
        const { count, since } = this.#misled ?? { count: 0, since: at };
        this.#misled = { count: count + 1, since, last: at };
      }
      if (warning) onWarning?.(warning, position);
    }
  }

  /** The trouble WRONG_PARTITION, if there is any (ENGINE-TELLING-1). */
  get trouble(): Trouble | undefined {
    if (!this.#misled) return undefined;
    const { count, since } = this.#misled;
    return {
      code: "WRONG_PARTITION",
      message: `Messages to workspaces of other partitions came over NATS, and were not applied: ${count}.`,
      next: "Compare the number of partitions in each mapping of the NATS server with --partition. The dead letters have the messages that were not applied; publish these messages again.",
      since,
      isEssential: false,
    };
  }
}

// First words
// The messages that the engine itself writes at a start, before anything else.
//
//   Owns:          which messages the engine must write at a start.
//   Does not own:  applying the messages that the engine writes at a start (turn).

import { defined } from "../../machines/index.ts";
import { completed } from "../config.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { OwnMessage } from "../message.ts";
import type { Meta } from "../rows/meta.ts";

/** Writes the operator's settings and wishes into the journal, unless the journal already has them. */
export async function sayFirst(
  say: (said: OwnMessage["said"]) => Promise<unknown>,
  known: Meta,
  {
    clients,
    configuration: given,
    guarded,
    acceptClock = false,
  }: Pick<EngineOptions, "clients" | "configuration" | "guarded" | "acceptClock">,
): Promise<void> {
  const whole = completed(given ?? {}, clients.defaults);
  const { partition = known.configuration.partition } = whole;
  const configuration = { ...whole, ...defined({ partition, guarded: guarded?.() }) };
  if (JSON.stringify(known.configuration) !== JSON.stringify(configuration))
    await say({ type: "configured", configuration });
  if (acceptClock) await say({ type: "clock.accepted" });
}

// Started
// Notes with which settings a folder's engine was started, so that `config` can print what a restart would change.
//
//   Owns:          the form of the note about the settings, finding out whether it is about the running engine.
//   Does not own:  the file that holds the note (data-folder), which settings may be printed (shown).
//
// SETTINGS-STARTED-1. The note about an engine's settings counts only for an engine at the address in the note. The note holds
//     no secret: only what `config` prints.

import { z } from "zod";
import { jsonIn } from "../../../machines/json.ts";
import type { Slot, Wiring } from "../wiring.ts";
import type { Told } from "./origins.ts";
import { shownSettings } from "./shown.ts";

const note = z.looseObject({ url: z.string(), settings: z.record(z.string(), z.string()) });

export type StartedSlot = Pick<Slot, "read" | "write">;

/** Writes the note of a started engine. If that fails, the engine runs all the same. @param url the engine's address. */
export async function noteStarted(
  slot: StartedSlot,
  url: string,
  told: Told,
  wiring: Pick<Wiring, "shownAddress">,
): Promise<void> {
  const shown = shownSettings(told, (address) => wiring.shownAddress(address));
  const settings = Object.fromEntries(shown.map(({ setting, value }) => [setting, value]));
  await slot.write(`${JSON.stringify({ url, settings })}\n`).catch(() => undefined);
}

export async function startedWith(
  slot: StartedSlot,
  url: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const found = note.safeParse(jsonIn(await slot.read().catch(() => undefined)));
  return found.data?.url === url ? found.data.settings : undefined;
}

// Started
// Stores the settings that a folder's engine was started with, so that `config` can print what another start would change.
//
//   Owns:          the note's form, comparing.
//   Does not own:  the note's file (data-folder), which settings may be printed (shown).
//
// SETTINGS-STARTED-1. The note belongs to one engine, known by its address: the note of another engine is not compared. The note
//     holds only what `config` prints, and so no secret.

import { z } from "zod";
import { jsonIn } from "../../../machines/json.ts";
import type { Slot, Wiring } from "../wiring.ts";
import type { Told } from "./origins.ts";
import { shownSettings } from "./shown.ts";

const note = z.looseObject({ url: z.string(), settings: z.record(z.string(), z.string()) });

export type StartedSlot = Pick<Slot, "read" | "write">;

/** Writes the note; an engine also runs without it. @param url the engine's address. */
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

/** @returns the settings that the engine at `url` was started with; undefined if no note has them. */
export async function startedWith(
  slot: StartedSlot,
  url: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const found = note.safeParse(jsonIn(await slot.read().catch(() => undefined)));
  return found.data?.url === url ? found.data.settings : undefined;
}

// Started
// What the engine of a folder was started with, kept beside it: `config` tells what a next start would change.
//
//   Owns:          the note's form, comparing.
//   Does not own:  the note's file (data-folder), what may be shown of a setting (shown).
//
// SETTINGS-STARTED-1. The note is of one engine, known by its address: another one's is not compared. It holds what `config`
//     shows, and so no secret.

import { z } from "zod";
import { jsonIn } from "../../../machines/json.ts";
import type { Slot, Wiring } from "../wiring.ts";
import type { Told } from "./origins.ts";
import { shownSettings } from "./shown.ts";

const note = z.looseObject({ url: z.string(), settings: z.record(z.string(), z.string()) });

/** Where the note stands. */
export type StartedSlot = Pick<Slot, "read" | "write">;

/** Writes it; an engine runs without one. @param url where the engine answers. */
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

/** @returns what the engine at `url` was started with, by setting; undefined where nobody knows. */
export async function startedWith(
  slot: StartedSlot,
  url: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const found = note.safeParse(jsonIn(await slot.read().catch(() => undefined)));
  return found.data?.url === url ? found.data.settings : undefined;
}

// Shown
// Prints the settings that an engine would start with, and the origin of each. Records them when an engine starts, so that
// `config` can print which of them a restart would change.
//
//   Owns:          the form of the printed settings, as lines and as JSON; the form of the note about an engine's settings.
//   Does not own:  what settings there are (table), finding the origins (origins), the file that holds the note (data-folder).
//
// SETTINGS-SHOWN-1. For a secret setting, the output says only where the setting comes from. A server's address is printed
//     without its password.
// SETTINGS-SHOWN-2. The note about an engine's settings also contains the engine's address. `config` uses the note only for an
//     engine at that address, because another engine may have other settings. The note contains only what `config` prints, and
//     so no secret.

import { z } from "zod";
import { defined } from "../../../machines/defined.ts";
import { jsonIn } from "../../../machines/json.ts";
import type { Slot, Wiring } from "../wiring.ts";
import type { OriginKind, Told } from "./origins.ts";
import { settingNames, type SettingName, settingOf, wordsOf } from "./table.ts";

export interface ShownSetting {
  readonly setting: SettingName;
  readonly value: string;
  readonly origin: OriginKind;
  readonly at?: string;
}

export function shownSettings(
  { settings, said }: Told,
  shownAddress: Wiring["shownAddress"],
): readonly ShownSetting[] {
  return settingNames.map((setting) => {
    const { unset, isSecret = false } = settingOf(setting);
    const { from = "default", at } = said[setting] ?? {};
    const given = settings[setting];
    const words = given === undefined ? unset : wordsOf(setting, given).join(", ") || "none";
    const value =
      isSecret && given !== undefined ? "set" : (setting === "nats" && shownAddress(words)) || words;
    return { setting, value, origin: from, ...defined({ at }) };
  });
}

const note = z.looseObject({ url: z.string(), settings: z.record(z.string(), z.string()) });

export type StartedSlot = Pick<Slot, "read" | "write">;

/** Writes the note. If that fails, nothing is reported, and the engine goes on. @param url the engine's address. */
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

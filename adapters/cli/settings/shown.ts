// Shown
// Prints the settings that an engine would start with, as lines or as JSON, and the origin of each.
//
//   Owns:          the form of the printed settings, as lines and as JSON.
//   Does not own:  what settings there are (table), finding the origins (origins).
//
// SETTINGS-SHOWN-1. For a secret setting, the output says only where the setting comes from. A server's address is printed
//     without its password.

import { defined } from "../../../machines/defined.ts";
import type { Wiring } from "../wiring.ts";
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

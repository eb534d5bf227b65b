// Shown
// The settings of a start as lines and as JSON: each with its origin.
//
//   Owns:          the lines, the JSON.
//   Does not own:  the settings (table), the origins (origins).
//
// SETTINGS-SHOWN-1. No secret is printed: the output says only that a secret is set, and where. A server's address is printed
//     without its secret.

import { defined } from "../../../machines/defined.ts";
import type { Wiring } from "../wiring.ts";
import type { OriginKind, Told } from "./origins.ts";
import { settingNames, type SettingName, settingOf, wordsOf } from "./table.ts";

export interface ShownSetting {
  readonly setting: SettingName;
  readonly value: string;
  readonly origin: OriginKind;
  /** The flag, the variable, or the file with the line. */
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

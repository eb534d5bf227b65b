// File
// Reads the file of settings, and collects all settings that an engine is to start with.
//
//   Owns:          where the file of settings is, which keys it may have, how it names the files with secrets.
//   Does not own:  which origin of a setting counts (origins), checking the file's owner (data-folder).
//   Decided in:    docs/decisions/0086-one-table-of-settings.md.
//
// CLI-SETTINGS-FILE-1. The file of settings is in the data folder, or is the one that --config names. Signalbox never looks for
//     it in the working folder, because that may be a repository, whose authors could add such a file.
// CLI-SETTINGS-FILE-2. A file of settings that other users can write is refused. An unknown key or a wrong value in it is
//     refused, and the message names the line.
// CLI-SETTINGS-FILE-3. A file of settings contains no secret: where a setting is secret, the file names another file that
//     contains the secret.

import { dirname, resolve } from "node:path";
import { nearestName } from "../../../runtime/text/nearest-name.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { Context } from "../command.ts";
import { Failure, misused } from "../failures/failure.ts";
import type { Folder, Wiring } from "../wiring.ts";
import { readYaml, type Yaml } from "../yaml-text.ts";
import {
  type Flags,
  fromEnvironment,
  fromFlags,
  type Layer,
  readValue,
  type Said,
  settled,
  type Told,
} from "./origins.ts";
import { keyOf, settingNames, type SettingName, settingOf } from "./table.ts";

const DOCS = "docs/reference/configuration.md has every setting.";

export type Surroundings = Pick<Context, "env"> & {
  readonly wiring: Pick<Wiring, "readOwn" | "shownAddress">;
};

export interface Found extends Told {
  readonly file: string;
  readonly isFileThere: boolean;
}

/**
 * @param flags the flags, as commander returns them. @throws Failure for a wrong or unknown setting, and a file that others can
 * write.
 */
export async function settingsOf(
  flags: Flags,
  folder: Pick<Folder, "settings">,
  { env, wiring }: Surroundings,
): Promise<Found> {
  const named = flags["config"];
  const file = typeof named === "string" ? resolve(named) : folder.settings;
  const inFile = await fromFile(file, wiring);
  if (inFile === undefined && named !== undefined) throw noFile(file);
  return {
    ...settled([fromFlags(flags), fromEnvironment(env), inFile ?? {}], wiring.shownAddress),
    ...{ file, isFileThere: inFile !== undefined },
  };
}

export const noFile = (file: string): Failure =>
  misused(
    `There is no file ${file}.`,
    "Name another file; `npx signalbox config` shows which file the engine would read.",
  );

export async function fromFile(file: string, wiring: Surroundings["wiring"]): Promise<Layer | undefined> {
  const text = await ownText(file, wiring);
  if (text === undefined) return undefined;
  const yaml = readYaml(text, file, DOCS, 2);
  const layer: Partial<Record<SettingName, Said>> = {};
  const base = dirname(file);
  for (const [key, given] of entriesOf(yaml)) {
    const name = settingNames.find((each) => keyOf(each) === key);
    if (name === undefined) throw yaml.fault([key], unknownText(key));
    const fault = (what: string): Failure => yaml.fault([key], `${key} is not right. ${what}`);
    const at = yaml.placeOf([key]);
    const value = settingOf(name).isSecret
      ? await secretIn(given, base, wiring, fault)
      : readValue(name, given, base, fault);
    if (name === "nats" && String(value).includes("@") && wiring.shownAddress(String(value)) !== undefined)
      throw fault(
        `The address holds a secret: put the address into a separate file, and name that file with ${keyOf("natsUrl")}.`,
      );
    layer[name] = { value, from: "file", at };
  }
  return layer;
}

function entriesOf({ value, fault }: Yaml): readonly (readonly [key: string, value: unknown])[] {
  if (value === null) return [];
  if (typeof value !== "object" || Array.isArray(value))
    throw fault([], "Write each setting as `key: value`.");
  return Object.entries(value);
}

function unknownText(key: string): string {
  const keys = settingNames.map(keyOf);
  const near = nearestName(key.replaceAll(/[-_]/g, ""), keys);
  return `There is no setting ${key}. ${near === undefined ? `The settings are ${keys.join(", ")}.` : `Did you mean ${near}?`}`;
}

async function secretIn(
  named: unknown,
  base: string,
  wiring: Surroundings["wiring"],
  fault: (what: string) => Failure,
): Promise<string> {
  if (typeof named !== "string" || named === "") throw fault("The value must be the path of a file.");
  const path = resolve(base, named);
  const [line = ""] = ((await ownText(path, wiring, true)) ?? "").split(/\r?\n/);
  if (line.trim() !== "") return line.trim();
  throw fault(`${path} is not there, or its first line is empty.`);
}

/** Reads a file that the user named. Replaces the advice in errors: that of `readOwn` fits only the data folder's files. */
async function ownText(
  path: string,
  { readOwn }: Surroundings["wiring"],
  isSecret = false,
): Promise<string | undefined> {
  try {
    return await readOwn(path, isSecret);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new Failure(
      error.message,
      "The file must be a regular file that belongs to you and that nobody else can write (chmod 600 FILE). Put a regular file of yours there, or name another file.",
    );
  }
}

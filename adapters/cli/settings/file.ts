// File
// Reads a file of settings, and collects the settings of a start.
//
//   Owns:          where the file is, its keys, its secrets.
//   Does not own:  the order of the origins (origins), the check of a file's owner (data-folder).
//   Decided in:    docs/decisions/0086-one-table-of-settings.md.
//
// CLI-SETTINGS-FILE-1. The file is the data folder's, or the one that --config names. The working folder is not searched, because
//     a repository could put a file there.
// CLI-SETTINGS-FILE-2. Only this user may be able to write the file. An unknown key is refused with its line, and so is a wrong
//     value.
// CLI-SETTINGS-FILE-3. A secret is read from the file that its key names; a server's address in the settings file contains no
//     secret.

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

/** What reading settings needs of a command's context. */
export type Surroundings = Pick<Context, "env"> & {
  readonly wiring: Pick<Wiring, "readOwn" | "shownAddress">;
};

export interface Found extends Told {
  /** The settings file's path; the file may not exist. */
  readonly file: string;
  readonly isFileThere: boolean;
}

/**
 * The settings that a start with these options would use. @param flags the flags, as commander has them; `config` names the
 * file.
 * @throws Failure for a wrong or unknown setting, and for a file that others can write.
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
    "Name another file; `npx signalbox config` shows which one the engine would read.",
  );

/** @returns the file's settings; undefined if there is no file. @throws Failure */
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
        `It holds a secret: put the address into a separate file, and name that file with ${keyOf("natsUrl")}.`,
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

/** Reads a secret (CLI-SETTINGS-FILE-3). @returns the first line of the named file. */
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

/** Reads a file that the user named. Replaces the advice in errors: that of `readOwn` fits only the data folder's own files. */
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
      "The file must be a regular file that belongs to you and that nobody else can write (chmod 600 FILE). Put such a file there, or name another.",
    );
  }
}

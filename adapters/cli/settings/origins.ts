// Origins
// Collects the settings for a start from flags, variables and a file, and records where each setting comes from.
//
//   Owns:          the order of precedence of the origins, the flags, refusing unknown variables.
//   Does not own:  what settings there are (table), reading the file (file).
//   Decided in:    docs/decisions/0086-one-table-of-settings.md.
//
// SETTINGS-ORIGINS-1. If a setting is given several times, a flag counts before a variable, a variable before the file, the file
//     before the default. Lists are not merged: only the list that counts is used.
// SETTINGS-ORIGINS-2. A wrong value is refused even if it would not be used: for example, a wrong variable is refused although
//     a right flag counts before it.
// SETTINGS-ORIGINS-3. A variable whose name begins with SIGNALBOX_ is refused if no program of Signalbox reads it.
// SETTINGS-ORIGINS-4. In a shell that an agent's client has started, a variable that sets a setting is refused, because a
//     project can set variables there.

import { homedir } from "node:os";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { z } from "zod";
import { type Failure, misused } from "../failures/failure.ts";
import { isOfAgent } from "../decide.ts";
import { noAddress } from "../journal/choose.ts";
import { nearestName } from "../../../runtime/text/nearest-name.ts";
import type { Wiring } from "../wiring.ts";
import {
  flagOf,
  keyOf,
  settingNames,
  type SettingName,
  settingOf,
  type Settings,
  variableOf,
} from "./table.ts";

export type OriginKind = "flag" | "environment" | "file" | "default";

export interface Said {
  readonly value: unknown;
  readonly from: Exclude<OriginKind, "default">;
  /** The place of the value: `--port`, `SIGNALBOX_PORT`, or a file and a line. */
  readonly at: string;
}

export type Layer = Partial<Readonly<Record<SettingName, Said>>>;

export interface Told {
  readonly settings: Settings;
  readonly said: Layer;
}

/** The flags as commander returns them: the value of a flag is one word, or several. */
export type Flags = Readonly<Record<string, unknown>>;

/** Variables that other programs of Signalbox read, and variables that Signalbox sets for the user's commands. */
const OTHER_VARIABLES = [
  "SIGNALBOX_DATA",
  "SIGNALBOX_URL",
  "SIGNALBOX_TOKEN",
  "SIGNALBOX_WORKSPACE",
  "SIGNALBOX_PASSPHRASE",
  "SIGNALBOX_REQUEST_TRACKER",
  "SIGNALBOX_CALLBACK_URL",
  "SIGNALBOX_REQUEST_ID",
  "SIGNALBOX_UNDELIVERED",
  "SIGNALBOX_COMMAND",
  "SIGNALBOX_APPROVAL_ID",
  "SIGNALBOX_CHECKPOINT",
  "SIGNALBOX_ALARM",
  "SIGNALBOX_CALL_ID",
  "SIGNALBOX_SESSION",
  "SIGNALBOX_TOOL",
  "SIGNALBOX_APPROVERS",
];

export const knownVariables = (): readonly string[] => [...settingNames.map(variableOf), ...OTHER_VARIABLES];

/** Parses a value. @param base the folder at which a relative path begins; a path's `~` is the user's home folder. */
export function readValue(
  name: SettingName,
  given: unknown,
  base: string,
  fault: (what: string) => Failure,
): unknown {
  const { schema, must, isPath, none } = settingOf(name);
  const read = schema.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw fault(issue?.code === "custom" ? issue.message : `The value must be ${must}.`);
  }
  if (!isPath) return read.data;
  const pathOf = (path: unknown): string =>
    resolve(
      base,
      String(path).replace(/^~(?=\/|$)/, () => homedir()),
    );
  if (Array.isArray(read.data)) return read.data.filter((each) => each !== none).map(pathOf);
  return read.data === none ? none : pathOf(read.data);
}

function writtenOf(name: SettingName, given: unknown): unknown {
  const isNumber = settingOf(name).schema instanceof z.ZodNumber;
  return isNumber && typeof given === "string" && /^\d+$/.test(given) ? Number(given) : given;
}

function layerOf(from: "flag" | "environment", given: (name: SettingName) => Given | undefined): Layer {
  const layer: Partial<Record<SettingName, Said>> = {};
  for (const name of settingNames) {
    const found = given(name);
    if (found === undefined) continue;
    const { at, value } = found;
    const fault = (what: string): Failure =>
      misused(`${at} is not right. ${what}`, "docs/reference/configuration.md has every setting.");
    layer[name] = { value: readValue(name, writtenOf(name, value), process.cwd(), fault), from, at };
  }
  return layer;
}

interface Given {
  readonly value: unknown;
  readonly at: string;
}

/** @throws Failure for a variable that is wrong, or unknown (SETTINGS-ORIGINS-3). */
export function fromEnvironment(env: NodeJS.ProcessEnv): Layer {
  const known = knownVariables();
  const given = new Map(Object.entries(env).filter(([name]) => name.startsWith("SIGNALBOX_")));
  for (const name of given.keys()) if (!known.includes(name)) throw unknownVariable(name, known);
  return layerOf("environment", (name) => {
    const at = variableOf(name);
    const value = given.get(at) || undefined;
    if (value !== undefined && isOfAgent(env)) throw ofAgent(name);
    return value === undefined ? undefined : { value, at };
  });
}

export function withSettings(command: Command): Command {
  for (const name of settingNames) {
    const { argument, about, unset, choices } = settingOf(name);
    if (argument === undefined) continue;
    const option = new Option(`${flagOf(name)} ${argument}`, `${about} (default: ${unset})`);
    command.addOption(choices ? option.choices(choices) : option);
  }
  return command
    .option("--public", "listen on every address: the same as --host 0.0.0.0")
    .option("--config <file>", "a file of settings (default: signalbox.config.yaml in the data folder)");
}

/** Reads the settings that flags set; `--public` also sets the host. @throws Failure for a wrong flag. */
export function fromFlags(flags: Flags): Layer {
  return layerOf("flag", (name) => {
    if (flags[name] !== undefined) return { value: flags[name], at: flagOf(name) };
    return name === "host" && flags["public"] === true ? { value: "0.0.0.0", at: "--public" } : undefined;
  });
}

/**
 * @param layers the settings of each origin: a value in an earlier item counts before one in a later item.
 * @throws Failure if an address is wrong.
 */
export function settled(layers: readonly Layer[], shownAddress: Wiring["shownAddress"]): Told {
  for (const layer of layers)
    for (const name of ["nats", "natsUrl"] as const) {
      const { value, from, at = "" } = layer[name] ?? {};
      if (typeof value !== "string" || (name === "nats" && isWord(value))) continue;
      if (shownAddress(value) === undefined) throw noAddress(from === "file" ? `${at}: ${keyOf(name)}` : at);
    }
  const said = layers.reduceRight<Layer>((under, over) => ({ ...under, ...over }), {});
  // The type `Settings` is right, because each value was parsed with the schema of its setting.
  const settings: Settings = Object.fromEntries(
    Object.entries(said).map(([name, { value }]) => [name, value]),
  );
  return { said, settings };
}

/** The address of the NATS server that a setting names. A start may use another journal, if the folder already has one. */
export const serverIn = ({ nats = "auto", natsUrl }: Settings): string | undefined =>
  isWord(nats) ? natsUrl : nats;

const isWord = (nats: string): boolean => nats === "auto" || nats === "off";

function ofAgent(name: SettingName): Failure {
  const flag = settingOf(name).argument === undefined ? "" : `Say ${flagOf(name)}, or `;
  return misused(
    `${variableOf(name)} is refused here: an agent's client runs this command, and a project can set variables there.`,
    `${flag}write ${keyOf(name)} into the file of settings; or run the command in a terminal of your own.`,
  );
}

function unknownVariable(name: string, known: readonly string[]): Failure {
  const near = nearestName(name, known);
  return misused(
    `No program of Signalbox reads ${name}.${near === undefined ? "" : ` Did you mean ${near}?`}`,
    `Remove the variable: unset ${name}. docs/reference/configuration.md has every setting.`,
  );
}

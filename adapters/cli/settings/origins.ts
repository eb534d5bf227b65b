// Origins
// The settings of a start: from its flags, the environment and a file, and of each from where.
//
//   Owns:          the order of the origins, refusing variables that nobody knows.
//   Does not own:  the settings (table), reading the file (file).
//   Decided in:    docs/decisions/0086-one-table-of-settings.md.
//
// SETTINGS-ORIGINS-1. A flag counts before a variable, a variable before the file, the file before the default; a list
//     counts as a whole.
// SETTINGS-ORIGINS-2. What is wrong is refused wherever it stands, also where another origin counts.
// SETTINGS-ORIGINS-3. A variable SIGNALBOX_… that no program of ours reads is refused.
// SETTINGS-ORIGINS-4. Where an agent's client has started this, no variable counts: a project can set some there.

import { homedir } from "node:os";
import { resolve } from "node:path";
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

/** Where a setting was given, and its value there. */
export interface Said {
  readonly value: unknown;
  readonly from: Exclude<OriginKind, "default">;
  /** Where it was said: `--port`, `SIGNALBOX_PORT`, or a file and a line. */
  readonly at: string;
}

export type Layer = Partial<Readonly<Record<SettingName, Said>>>;

/** The settings of a start, and who said each. */
export interface Told {
  readonly settings: Settings;
  readonly said: Layer;
}

/** Flags as commander has them: a word, or several. */
export type Flags = Readonly<Record<string, unknown>>;

/** What other programs of ours read, or set for a command. */
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

/**
 * Reads a value as a file has it.
 * @param base the folder at which paths begin; `~` is the user's own. @param fault makes the refusal of what is wrong.
 */
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
    throw fault(issue?.code === "custom" ? issue.message : `It must be ${must}.`);
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

/** What the words on a command line are in a file. */
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

/** @throws Failure for a variable that is wrong, or that nobody knows (SETTINGS-ORIGINS-3). */
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

/** `--public` is a host, too. @throws Failure for a flag that is wrong. */
export function fromFlags(flags: Flags): Layer {
  return layerOf("flag", (name) => {
    if (flags[name] !== undefined) return { value: flags[name], at: flagOf(name) };
    return name === "host" && flags["public"] === true ? { value: "0.0.0.0", at: "--public" } : undefined;
  });
}

/** @param layers the strongest first. @throws Failure if an address is wrong. */
export function settled(layers: readonly Layer[], shownAddress: Wiring["shownAddress"]): Told {
  for (const layer of layers)
    for (const name of ["nats", "natsUrl"] as const) {
      const { value, from, at = "" } = layer[name] ?? {};
      if (typeof value !== "string" || (name === "nats" && isWord(value))) continue;
      if (shownAddress(value) === undefined) throw noAddress(from === "file" ? `${at}: ${keyOf(name)}` : at);
    }
  const said = layers.reduceRight<Layer>((under, over) => ({ ...under, ...over }), {});
  // Each value was read by its own setting's schema.
  const settings: Settings = Object.fromEntries(
    Object.entries(said).map(([name, { value }]) => [name, value]),
  );
  return { said, settings };
}

/** The NATS server that a start would use, where somebody names one; a folder may have a journal of another kind. */
export const serverIn = ({ nats = "auto", natsUrl }: Settings): string | undefined =>
  isWord(nats) ? natsUrl : nats;

const isWord = (nats: string): boolean => nats === "auto" || nats === "off";

/** SETTINGS-ORIGINS-4. */
function ofAgent(name: SettingName): Failure {
  const flag = settingOf(name).argument === undefined ? "" : `Say ${flagOf(name)}, or `;
  return misused(
    `${variableOf(name)} is refused here: an agent's client runs this command, and a project can set variables there.`,
    `${flag}write ${keyOf(name)} into the file of settings; or start it in a terminal of your own.`,
  );
}

function unknownVariable(name: string, known: readonly string[]): Failure {
  const near = nearestName(name, known);
  return misused(
    `No program of Signalbox reads ${name}.${near === undefined ? "" : ` Did you mean ${near}?`}`,
    `Take it away: unset ${name}. docs/reference/configuration.md has every setting.`,
  );
}

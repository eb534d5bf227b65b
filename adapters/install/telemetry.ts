// Telemetry
// Adds to the client's settings the variables that send its telemetry to the engine, and removes them.
//
//   Owns:          adding the variables, which of the variables are Signalbox's.
//   Does not own:  the variables' names (install-form), the text (json-text), the file (settings-file), the token (hooks-side).
//
// INSTALL-TELEMETRY-1. If somebody else has set one of the variables, nothing is added, and the message names that variable.
// INSTALL-TELEMETRY-2. Variables are removed only from settings that contain the data folder's token, and only if they still
//     have the values that Signalbox set.
// INSTALL-TELEMETRY-3. If the data folder has lost its token, variables count as Signalbox's if all of them have values of the
//     form that Signalbox sets. They are removed, unless the settings also have hooks of another data folder: the variables
//     may be that folder's, so the message only names them.

import { TELEMETRY_ROUTE } from "../../runtime/access-token.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { Collector, InstallForm } from "../../runtime/install-form.ts";
import { append, type JsonValue, member, type Place, placesIn, remove } from "./json-text.ts";

/** @param text settings that can be read. @throws RefusedError NO_TELEMETRY, TELEMETRY_TAKEN, BAD_SETTINGS */
export function withTelemetry(form: InstallForm, text: string, collector: Collector): string {
  if (!form.telemetry) throw noTelemetry(form);
  const { variables: wanted } = form.telemetry(collector);
  const before = withoutTelemetry(form, text, collector.token);
  const taken = Object.keys(wanted).find((name) => variable(before, name) !== undefined);
  if (taken !== undefined) throw takenBy(taken);
  return Object.entries(wanted).reduce((settings, [name, value]) => {
    const root = placesIn(settings);
    const env = envOf(root);
    return env ? append(settings, env, value, name) : append(settings, root, { [name]: value }, "env");
  }, before);
}

/** @param text a settings file that was read without an error. @throws RefusedError BAD_SETTINGS */
export function withoutTelemetry(form: InstallForm, text: string, token: string): string {
  const sent = form.telemetry?.({ url: "", token });
  if (sent === undefined) return text;
  const { variables, headers, endpoint } = sent;
  if (variable(text, headers) !== variables[headers]) return text;
  const url = variable(text, endpoint);
  const ours = { ...variables, [endpoint]: typeof url === "string" ? url : "" };
  return Object.entries(ours).reduceRight((settings, [name, value]) => {
    const root = placesIn(settings);
    const env = envOf(root);
    const at = env?.children.findLastIndex((child) => child.name === name && child.value === value) ?? -1;
    if (!env || at < 0) return settings;
    return remove(settings, [
      [root, root.children.indexOf(env)],
      [env, at],
    ]);
  }, text);
}

/** Matches an address on this machine that takes telemetry. */
const NEAR = /^http:\/\/(?:127(?:\.\d+){3}|localhost|\[::1\])(?::\d+)?(\/.*)$/;
const TOKEN = /^[\w-]{43}$/;

/** @returns the variables' names and their token if all have values as Signalbox sets them; undefined if not. */
export function telemetryIn(form: InstallForm, text: string) {
  const blank = form.telemetry?.({ url: "", token: "" });
  if (blank === undefined) return undefined;
  const { variables, headers, endpoint } = blank;
  const [url, header] = [variable(text, endpoint), variable(text, headers)];
  if (typeof url !== "string" || typeof header !== "string") return undefined;
  const token = header.slice(variables[headers]?.length);
  if (NEAR.exec(url)?.[1] !== TELEMETRY_ROUTE || !TOKEN.test(token)) return undefined;
  const wanted = Object.entries(form.telemetry?.({ url, token }).variables ?? {});
  const isWhole = wanted.every(([name, value]) => variable(text, name) === value);
  return isWhole ? { token, names: wanted.map(([name]) => name) } : undefined;
}

const variable = (text: string, name: string): JsonValue | undefined => {
  const env = envOf(placesIn(text));
  return env && member(env, name)?.value;
};

/** @throws RefusedError BAD_SETTINGS */
function envOf(root: Place): Place["children"][number] | undefined {
  const env = root.children.findLast(({ name }) => name === "env");
  if (env && (typeof env.value !== "object" || env.value === null || Array.isArray(env.value)))
    throw badEnv();
  return env;
}

const noTelemetry = ({ called }: InstallForm): RefusedError =>
  new RefusedError(
    "NO_TELEMETRY",
    `Signalbox cannot read the telemetry of ${called}.`,
    "Install without --telemetry. Nothing was written.",
  );

const takenBy = (name: string): RefusedError =>
  new RefusedError(
    "TELEMETRY_TAKEN",
    `The settings set ${name} already: this client sends its telemetry elsewhere.`,
    "Nothing was written. Install without --telemetry, or remove that variable first.",
    `env.${name}`,
  );

const badEnv = (): RefusedError =>
  new RefusedError(
    "BAD_SETTINGS",
    "env is not an object in the settings.",
    "Nothing was written. Correct the file, and install again.",
    "env",
  );

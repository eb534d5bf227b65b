// Telemetry
// Adds to the client's settings the variables that send its telemetry to the engine, and removes them.
//
//   Owns:          adding the variables, which of them are Signalbox's.
//   Does not own:  the variables (install-form), the text (json-text), the file (settings-file), the token and the address
//                  (hooks-side).
//
// INSTALL-TELEMETRY-1. A variable that somebody else has set is never changed: nothing is added then, and the message names that
//     variable.
// INSTALL-TELEMETRY-2. If the settings contain Signalbox's own token, the variables with the values that Signalbox writes are
//     Signalbox's. Only these are removed.

import { RefusedError } from "../../runtime/errors/errors.ts";
import type { Collector, InstallForm, SentTelemetry } from "../../runtime/install-form.ts";
import { append, type JsonValue, member, type Place, placesIn, remove } from "./json-text.ts";

/** @param text readable settings. @throws RefusedError NO_TELEMETRY, TELEMETRY_TAKEN, BAD_SETTINGS */
export function withTelemetry(form: InstallForm, text: string, collector: Collector): string {
  const { variables: wanted } = form.telemetry?.(collector) ?? refuse(noTelemetry(form));
  const before = withoutTelemetry(form, text, collector.token);
  const taken = Object.keys(wanted).find((name) => variable(before, name) !== undefined);
  if (taken !== undefined) throw takenBy(taken);
  return Object.entries(wanted).reduce((settings, [name, value]) => {
    const root = placesIn(settings);
    const env = envOf(root);
    return env ? append(settings, env, value, name) : append(settings, root, { [name]: value }, "env");
  }, before);
}

/** @param text readable settings. @throws RefusedError BAD_SETTINGS */
export function withoutTelemetry(form: InstallForm, text: string, token: string): string {
  const sent: SentTelemetry | undefined = form.telemetry?.({ url: "", token });
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

function refuse(error: RefusedError): never {
  throw error;
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

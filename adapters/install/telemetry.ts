// Telemetry
// The client's settings with its telemetry sent here, and without.
//
//   Owns:          the variables, which of them are ours.
//   Does not own:  the text (json-text), the file (settings-file), the token and the address (hooks-side).
//
// INSTALL-TELEMETRY-1. What somebody else has set is never changed: then nothing is put in, and what stands in the way is told.
// INSTALL-TELEMETRY-2. Ours are the variables beside our own token, with the values that we write; they alone are taken out.

import { RefusedError } from "../../runtime/errors/errors.ts";
import { append, type JsonValue, member, type Place, placesIn, remove } from "./json-text.ts";

/** Where it is sent, and the token that opens it. */
export interface Collector {
  /** Of the route. */
  readonly url: string;
  readonly token: string;
}

const ENABLED = "CLAUDE_CODE_ENABLE_TELEMETRY";
const HEADERS = "OTEL_EXPORTER_OTLP_LOGS_HEADERS";
const ENDPOINT = "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT";
/** Soon enough for a person who looks; each is one small request. */
const EXPORT_MS = 250;

const headersOf = (token: string): string => `Authorization=Bearer%20${token}`;

const variablesOf = ({ url, token }: Collector): Readonly<Record<string, string>> => ({
  [ENABLED]: "1",
  OTEL_LOGS_EXPORTER: "otlp",
  OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: "http/json",
  [ENDPOINT]: url,
  [HEADERS]: headersOf(token),
  OTEL_LOGS_EXPORT_INTERVAL: String(EXPORT_MS),
});

/** @param text settings that can be read. @throws RefusedError TELEMETRY_TAKEN, BAD_SETTINGS */
export function withTelemetry(text: string, collector: Collector): string {
  const wanted = variablesOf(collector);
  const before = withoutTelemetry(text, collector.token);
  const taken = Object.keys(wanted).find((name) => variable(before, name) !== undefined);
  if (taken !== undefined) throw takenBy(taken);
  return Object.entries(wanted).reduce((settings, [name, value]) => {
    const root = placesIn(settings);
    const env = envOf(root);
    return env ? append(settings, env, value, name) : append(settings, root, { [name]: value }, "env");
  }, before);
}

/** @param text settings that can be read. @throws RefusedError BAD_SETTINGS */
export function withoutTelemetry(text: string, token: string): string {
  if (variable(text, HEADERS) !== headersOf(token)) return text;
  const url = variable(text, ENDPOINT);
  const ours = variablesOf({ url: typeof url === "string" ? url : "", token });
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

const takenBy = (name: string): RefusedError =>
  new RefusedError(
    "TELEMETRY_TAKEN",
    `The settings set ${name} already: this client's telemetry is somebody else's.`,
    "Install without --telemetry, or take that variable out first. Nothing was written.",
    `env.${name}`,
  );

const badEnv = (): RefusedError =>
  new RefusedError(
    "BAD_SETTINGS",
    "env is not an object in the settings.",
    "Mend the file, and do this again. Nothing was written.",
    "env",
  );

// Hooks side
// Installs and removes the client's hooks for a data folder.
//
//   Owns:          the order of the steps: first the hooks' programs are installed, then the settings are changed.
//   Does not own:  the settings and programs (install), the folder (data-folder), the state of hooks (hooks-status).

import { basename, join } from "node:path";
import { homedir } from "node:os";
import { defined } from "../../machines/defined.ts";
import { TELEMETRY_ROUTE, telemetryToken } from "../../runtime/access-token.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { InstallForm, Installed, Scope } from "../../runtime/install-form.ts";
import {
  type DataFolder,
  ensureLineKey,
  makeDeep,
  makeFolder,
  readOwn,
  readSecret,
} from "../data-folder/index.ts";
import { GATE_PROGRAM } from "../gate-program.ts";
import {
  areHooksOff,
  changedPluginFiles,
  checkClient,
  edited,
  entryOf,
  type FoundHook,
  hookKinds,
  hooksIn,
  type Kept,
  knownEvents,
  keepPrograms,
  lineChanges,
  pluginFiles,
  readSettingsFile,
  telemetryIn,
  type Terms,
  type Wanted,
  withHooks,
  withoutHooks,
  withoutTelemetry,
  withTelemetry,
  writePluginFiles,
  writeSettingsFile,
} from "../install/index.ts";
import { version } from "../version.ts";
import { profiles } from "./profiles.ts";
import type { HooksChange } from "../cli/index.ts";

export interface HooksPlace {
  readonly form: InstallForm;
  /** The client's name in its hooks; undefined for the first client of the list (profiles). */
  readonly clientName?: string;
  readonly folder: DataFolder;
  readonly scope: Scope;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** @throws RefusedError NO_SUCH_SCOPE */
export function checkScope({ called, scopes }: Installed, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new RefusedError(
    "NO_SUCH_SCOPE",
    `${called} has no settings with the scope ${scope}.`,
    `Name another scope: --scope ${scopes.join(" or ")}.`,
  );
}

/** @throws RefusedError NO_SUCH_SCOPE */
export function settingsIn({ form, scope, cwd, env }: Omit<HooksPlace, "folder">): string {
  checkScope(form, scope);
  return form.settingsPath(scope, cwd, env, env["HOME"] || homedir());
}

/** The client ends an observing hook after this many seconds. */
export const OBSERVE_S = 5;

const NO_SETTINGS = "{}\n";

export const keptIn = ({ dir, hooks, spool }: DataFolder): Kept => ({
  data: dir,
  hooks,
  spool,
  pids: profiles.flatMap(({ pidVariable }) => pidVariable ?? []),
});

export function wantedOf(
  { form, clientName, folder: { dir } }: Pick<HooksPlace, "form" | "clientName" | "folder">,
  { timeoutS, client, ...wanted }: GateWanted,
): readonly Wanted[] {
  const terms = { ...wanted, ...defined({ clientName }) };
  return hookKinds(form, terms.choice, knownEvents(form, client)).map(([event, kind]) => ({
    event,
    entry: entryOf(form, dir, kind, kind === "gate" ? timeoutS : OBSERVE_S, terms),
  }));
}

export interface GateWanted extends Terms {
  readonly timeoutS: number;
  readonly client?: string | undefined;
}

export interface HooksWanted extends GateWanted {
  /** The engine's address, if the client sends its telemetry there. */
  readonly telemetry?: string;
}

/** @throws RefusedError if the hooks cannot be installed; SHARED_TOKEN for telemetry in settings that other users share. */
export async function installHooks(
  place: HooksPlace,
  { telemetry, ...gate }: HooksWanted,
  dryRun: boolean,
  now: number,
): Promise<HooksChange> {
  const { folder, form, scope } = place;
  const wanted = wantedOf(place, checkClient(form, gate));
  if (telemetry !== undefined && scope === "project") throw sharedToken();
  if (telemetry !== undefined && !dryRun) {
    await makeFolder(folder);
    await ensureLineKey(folder);
  }
  const token = await tokenIn(folder);
  const former = await formerTokenIn(folder);
  return change(
    place,
    (text) => {
      const hooked = without(place, withHooks(text, folder.dir, wanted), [token, former]);
      return telemetry === undefined
        ? hooked
        : withTelemetry(form, hooked, { url: telemetry + TELEMETRY_ROUTE, token });
    },
    dryRun,
    now,
    async () => {
      await makeFolder(folder);
      await keepPrograms(keptIn(folder), process.execPath, GATE_PROGRAM);
    },
  );
}

/**
 * Writes the hooks that `installHooks` would add to the settings into a plugin's folder instead.
 * @returns the files that change. @throws RefusedError NOT_OUR_PLUGIN, …
 */
export async function writePlugin(
  place: Pick<HooksPlace, "form" | "clientName" | "folder">,
  dir: string,
  gate: GateWanted,
  dryRun: boolean,
): Promise<readonly string[]> {
  const { folder, form } = place;
  const files = pluginFiles(dir, folder.dir, wantedOf(place, checkClient(form, gate)), version);
  const changed = await changedPluginFiles(dir, files);
  if (!dryRun) {
    await makeFolder(folder);
    await keepPrograms(keptIn(folder), process.execPath, GATE_PROGRAM);
    await writePluginFiles(changed, makeDeep);
  }
  return changed.map(({ path }) => path);
}

/** Removes the hooks. Their programs stay: a running client may still start them. @throws RefusedError with the reason. */
export async function uninstallHooks(place: HooksPlace, dryRun: boolean, now: number): Promise<HooksChange> {
  const { folder } = place;
  const tokens = [await tokenIn(folder), await formerTokenIn(folder)];
  return change(place, (text) => without(place, withoutHooks(text, folder.dir), tokens), dryRun, now);
}

function without(
  { form, folder }: HooksPlace,
  text: string,
  tokens: readonly (string | undefined)[],
): string {
  const isAlone = hooksIn(text).every(({ data }) => data === folder.dir);
  const lost = isAlone ? telemetryIn(form, text)?.token : undefined;
  return [...tokens, lost].reduce<string>(
    (left, token) => (token === undefined ? left : withoutTelemetry(form, left, token)),
    text,
  );
}

/** The telemetry token of the folder; if the folder has no line key, a token that is in no settings, so that none match. */
const tokenIn = async (folder: DataFolder): Promise<string> =>
  telemetryToken((await readSecret(folder.lineKey)) ?? "");

/** The telemetry token that an earlier version wrote into the client's settings. The token gives no access any more. */
const formerTokenIn = async (folder: DataFolder): Promise<string | undefined> =>
  (await readOwn(folder.formerTelemetry, true))?.trim();

/** Finds a telemetry token in a line of the settings, so that the token is not shown in a terminal. */
const IN_SETTINGS = /(Bearer%20)[\w-]{43}/;

const sharedToken = (): RefusedError =>
  new RefusedError(
    "SHARED_TOKEN",
    "Telemetry needs a token of this machine in the settings, but the project's settings are shared with others.",
    "Install with --scope local or user, or without --telemetry.",
  );

async function change(
  { folder, form, scope, cwd, env }: HooksPlace,
  edit: (text: string) => string,
  dryRun: boolean,
  now: number,
  prepare: () => Promise<void> = () => makeFolder(folder),
): Promise<HooksChange> {
  const file = await readSettingsFile(settingsIn({ form, scope, cwd, env }));
  const before = file.text ?? form.blank ?? NO_SETTINGS;
  const after = edited(before, edit);
  const changes = after === before ? [] : lineChanges(file.text ?? "", after);
  const others = [...new Set(hooksIn(after).map(({ data }) => data))].filter((data) => data !== folder.dir);
  const sent = others.length === 0 ? undefined : telemetryIn(form, after);
  const told = {
    path: file.path,
    changes: changes.map((line) => line.replace(IN_SETTINGS, "$1…")),
    putIn: eventsBeyond(hooksIn(after), hooksIn(before), folder),
    takenOut: eventsBeyond(hooksIn(before), hooksIn(after), folder),
    others,
    ...(sent && sent.token !== (await tokenIn(folder)) && { strayTelemetry: sent.names }),
    areHooksOff: areHooksOff(after),
  };
  if (dryRun) return told;
  await prepare();
  if (after === before) return told;
  const copy = join(folder.hooks, `${basename(file.path)}.${scope}.${now}`);
  await writeSettingsFile(file, after, copy);
  return { ...told, ...(file.text !== undefined && { copy }) };
}

/** @returns the events of this data folder's hooks in `some` that are missing in `others` or differ there. */
function eventsBeyond(
  some: readonly FoundHook[],
  others: readonly FoundHook[],
  { dir }: DataFolder,
): readonly string[] {
  const isThere = (hook: FoundHook): boolean =>
    others.some(({ event, entry }) => event === hook.event && sameEntry(entry, hook.entry));
  return some.filter((hook) => hook.data === dir && !isThere(hook)).map(({ event }) => event);
}

export const sameEntry = (one: object, other: object): boolean =>
  Object.keys({ ...one, ...other }).every((key) => Reflect.get(one, key) === Reflect.get(other, key));

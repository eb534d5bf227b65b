// Hooks side
// The client's hooks for a data folder: put in, taken out, looked at.
//
//   Owns:          the order of the steps: programs first, settings last, and the other way round.
//   Does not own:  the settings and programs (install), the folder (data-folder), what is said of them (cli).

import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { TELEMETRY_ROUTE, telemetryToken } from "../runtime/access-token.ts";
import { RefusedError } from "../runtime/errors.ts";
import {
  type DataFolder,
  ensureLineKey,
  makeDeep,
  makeFolder,
  readOwn,
  readSecret,
} from "./data-folder/index.ts";
import {
  areHooksOff,
  changedPluginFiles,
  checkClient,
  clientGiven,
  edited,
  entryOf,
  type FoundHook,
  type GateChoice,
  hookKinds,
  hooksIn,
  type Kept,
  knownEvents,
  keepPrograms,
  lineChanges,
  pluginFiles,
  programFaults,
  readSettingsFile,
  type Scope,
  settingsPath,
  type Terms,
  type Wanted,
  withHooks,
  withoutHooks,
  withoutTelemetry,
  withTelemetry,
  writePluginFiles,
  writeSettingsFile,
} from "./install/index.ts";
import { version } from "./version.ts";
import type { HooksChange } from "./cli/index.ts";

export interface HooksPlace {
  readonly folder: DataFolder;
  readonly scope: Scope;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface HooksStatus {
  readonly scope: Scope;
  readonly path: string;
  readonly installed: number;
  readonly gate?: GateChoice;
  readonly closed?: "ask" | "deny";
  /** The workspace they say; undefined for that of each session's folder. */
  readonly workspace?: string;
  /** Why they cannot be read, or what of them is not as it would be put in. */
  readonly faults: readonly string[];
}

const OBSERVE_S = 5;
const SCOPES: readonly Scope[] = ["user", "project", "local"];
const GATE_PROGRAM = fileURLToPath(new URL("./gate-hook.cjs", import.meta.url));

/** Where there is no file. */
const NO_SETTINGS = "{}\n";
const HOOKS_OFF = "disableAllHooks is set: Claude Code runs no hooks here. Take it out";

const keptIn = ({ dir, hooks, spool }: DataFolder): Kept => ({ data: dir, hooks, spool });

function wantedOf({ dir }: DataFolder, { timeoutS, client, ...terms }: GateWanted): readonly Wanted[] {
  return hookKinds(terms.choice, knownEvents(client)).map(([event, kind]) => ({
    event,
    entry: entryOf(dir, kind, kind === "gate" ? timeoutS : OBSERVE_S, terms),
  }));
}

export interface GateWanted extends Terms {
  readonly timeoutS: number;
  /** The client's version; undefined for the newest. */
  readonly client?: string | undefined;
}

export interface HooksWanted extends GateWanted {
  /** Where the client's telemetry is sent: the engine's address. Undefined for none. */
  readonly telemetry?: string;
}

/**
 * @param dryRun says what would change, and changes nothing.
 * @throws RefusedError, in words; SHARED_TOKEN for telemetry in settings that others have, too.
 */
export async function installHooks(
  place: HooksPlace,
  { telemetry, ...gate }: HooksWanted,
  dryRun: boolean,
  now: number,
): Promise<HooksChange> {
  const { folder, scope } = place;
  const wanted = wantedOf(folder, checkClient(gate));
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
      const hooked = without(withHooks(text, folder.dir, wanted), [token, former]);
      return telemetry === undefined
        ? hooked
        : withTelemetry(hooked, { url: telemetry + TELEMETRY_ROUTE, token });
    },
    dryRun,
    now,
    async () => {
      await makeFolder(folder);
      await keepPrograms(keptIn(folder), process.execPath, GATE_PROGRAM);
    },
  );
}

/** The same hooks as a plugin's folder. @returns the files that change. @throws RefusedError NOT_OUR_PLUGIN, … */
export async function writePlugin(
  folder: DataFolder,
  dir: string,
  gate: GateWanted,
  dryRun: boolean,
): Promise<readonly string[]> {
  const files = pluginFiles(dir, folder.dir, wantedOf(folder, checkClient(gate)), version);
  const changed = await changedPluginFiles(dir, files);
  if (!dryRun) {
    await makeFolder(folder);
    await keepPrograms(keptIn(folder), process.execPath, GATE_PROGRAM);
    await writePluginFiles(changed, makeDeep);
  }
  return changed.map(({ path }) => path);
}

/** The programs stay: a client that runs may still start them. @throws RefusedError, in words. */
export async function uninstallHooks(place: HooksPlace, dryRun: boolean, now: number): Promise<HooksChange> {
  const { folder } = place;
  const tokens = [await tokenIn(folder), await formerTokenIn(folder)];
  return change(place, (text) => without(withoutHooks(text, folder.dir), tokens), dryRun, now);
}

const without = (text: string, tokens: readonly (string | undefined)[]): string =>
  tokens.reduce<string>((left, token) => (token === undefined ? left : withoutTelemetry(left, token)), text);

/** The one for telemetry; where the folder has none yet, one that nothing was written with. */
const tokenIn = async (folder: DataFolder): Promise<string> =>
  telemetryToken((await readSecret(folder.lineKey)) ?? "");

/** What an earlier version put into the settings: it opens nothing any more. */
const formerTokenIn = async (folder: DataFolder): Promise<string | undefined> =>
  (await readOwn(folder.formerTelemetry, true))?.trim();

const sharedToken = (): RefusedError =>
  new RefusedError(
    "SHARED_TOKEN",
    "The project's settings are shared with others, and telemetry needs a token of this machine in them.",
    "Install with --scope local or user, or without --telemetry.",
  );

async function change(
  { folder, scope, cwd, env }: HooksPlace,
  edit: (text: string) => string,
  dryRun: boolean,
  now: number,
  prepare: () => Promise<void> = () => makeFolder(folder),
): Promise<HooksChange> {
  const file = await readSettingsFile(settingsPath(scope, cwd, env));
  const before = file.text ?? NO_SETTINGS;
  const after = edited(before, edit);
  const token = await tokenIn(folder);
  const changes = after === before ? [] : lineChanges(file.text ?? "", after);
  const others = [...new Set(hooksIn(after).map(({ data }) => data))].filter((data) => data !== folder.dir);
  const told = {
    path: file.path,
    changes: changes.map((line) => line.replaceAll(token, "…")),
    putIn: eventsBeyond(hooksIn(after), hooksIn(before), folder),
    takenOut: eventsBeyond(hooksIn(before), hooksIn(after), folder),
    others,
    areHooksOff: areHooksOff(after),
  };
  if (dryRun) return told;
  await prepare();
  if (after === before) return told;
  const copy = join(folder.hooks, `${basename(file.path)}.${scope}.${now}`);
  await writeSettingsFile(file, after, copy);
  return { ...told, ...(file.text !== undefined && { copy }) };
}

/** @returns the events of the folder's hooks in `some` that are not so in `others`. */
function eventsBeyond(
  some: readonly FoundHook[],
  others: readonly FoundHook[],
  { dir }: DataFolder,
): readonly string[] {
  const isThere = (hook: FoundHook): boolean =>
    others.some(({ event, entry }) => event === hook.event && sameEntry(entry, hook.entry));
  return some.filter((hook) => hook.data === dir && !isThere(hook)).map(({ event }) => event);
}

/**
 * @param client its version; undefined where nobody asked it.
 * @returns one for each scope, and what is wrong with the programs.
 */
export async function hooksStatus(
  place: Omit<HooksPlace, "scope">,
  client?: string,
): Promise<{
  readonly scopes: readonly HooksStatus[];
  readonly programs: readonly string[];
  readonly spooled: number;
}> {
  const { folder } = place;
  const scopes = await Promise.all(SCOPES.map((scope) => statusOf({ ...place, scope }, client)));
  const isIn = scopes.some(({ installed }) => installed > 0);
  const names = await readdir(folder.spool).catch((): string[] => []);
  return {
    scopes,
    programs: isIn ? await programFaults(keptIn(folder), process.execPath, GATE_PROGRAM) : [],
    spooled: names.filter((name) => /^\d/.test(name)).length,
  };
}

async function statusOf(
  { folder, scope, cwd, env }: HooksPlace,
  client: string | undefined,
): Promise<HooksStatus> {
  const path = settingsPath(scope, cwd, env);
  try {
    const { text = "" } = await readSettingsFile(path);
    const own = hooksIn(text).filter(({ data }) => data === folder.dir);
    // In one of them, it holds for the hooks of all.
    const off = areHooksOff(text) ? [HOOKS_OFF] : [];
    if (own.length === 0) return { scope, path, installed: 0, faults: off };
    const gate = { ...gateOf(own), client: client ?? clientGiven(own.map(({ event }) => event)) };
    const { choice, closed, workspace } = gate;
    return {
      scope,
      path,
      installed: own.length,
      gate: choice,
      closed,
      ...(workspace !== undefined && { workspace }),
      faults: [...off, ...faultsOf(folder, own, gate)],
    };
  } catch (error) {
    return { scope, path, installed: 0, faults: [error instanceof Error ? error.message : String(error)] };
  }
}

/** What the hooks that are in were wanted for; a gate of an earlier version says less. */
function gateOf(own: readonly FoundHook[]): GateWanted {
  const gates = own.filter(({ kind }) => kind === "gate");
  const [gate] = gates;
  const timeout = gate?.entry["timeout"];
  const workspace = (gate ?? own[0])?.workspace;
  const isAll = gates.some(({ event }) => event === "PreToolUse");
  return {
    choice: gate === undefined ? "none" : isAll ? "all" : "permission",
    closed: gate?.closed ?? "ask",
    timeoutS: typeof timeout === "number" ? timeout : OBSERVE_S,
    ...(workspace !== undefined && { workspace }),
  };
}

/** What `install` would put right. */
function faultsOf(folder: DataFolder, own: readonly FoundHook[], gate: GateWanted): readonly string[] {
  const wanted = wantedOf(folder, gate);
  const unknown = own.filter(({ event }) => wanted.every((each) => each.event !== event));
  const faults = wanted.flatMap(({ event, entry }) => {
    const found = own.filter((each) => each.event === event);
    if (found.length === 0) return [`${event} is missing`];
    const isSame = found.some(({ entry: there }) => sameEntry(there, entry));
    return isSame ? [] : [`${event} was changed, or is of an earlier version`];
  });
  const client = gate.client === undefined ? "The newest Claude Code" : `Claude Code ${gate.client}`;
  return [
    ...faults,
    ...unknown.map(({ event }) => `${client} does not know ${event}: it may run none of its hooks`),
  ];
}

const sameEntry = (one: object, other: object): boolean =>
  Object.keys({ ...one, ...other }).every((key) => Reflect.get(one, key) === Reflect.get(other, key));

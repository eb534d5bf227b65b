// Plugin file side
// Installs, removes and checks the hooks of a client that loads its hooks from one plugin file.
//
//   Owns:          the order of the steps: first the hooks' programs are installed, then the plugin file is written.
//   Does not own:  the plugin file's text (install, the client's adapter), the data folder (data-folder), the output (cli).
//
// PLUGIN-FILE-SIDE-1. An uninstall removes the plugin file. If a user has changed the file, a copy is stored in the data folder
//     first.

import { basename, join } from "node:path";
import { homedir } from "node:os";
import { defined } from "../../../machines/defined.ts";
import type { PluginForm, Scope } from "../../../runtime/install-form.ts";
import type { HooksChange, HooksStatus } from "../../cli/index.ts";
import { type DataFolder, makeFolder } from "../../data-folder/index.ts";
import { GATE_PROGRAM } from "../../gate-program.ts";
import {
  checkPluginFile,
  keepPrograms,
  lineChanges,
  pluginFileText,
  pluginHeadIn,
  readSettingsFile,
  removeSettingsFile,
  writeSettingsFile,
} from "../../install/index.ts";
import { checkScope, type GateWanted, keptIn } from "../hooks-side.ts";
import { statusOver } from "../hooks-status.ts";

export interface PluginPlace {
  readonly form: PluginForm;
  readonly clientName: string;
  readonly folder: DataFolder;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const pathIn = ({ form, cwd, env }: PluginPlace, scope: Scope): string => {
  checkScope(form, scope);
  return form.pluginPath(scope, cwd, env, env["HOME"] || homedir());
};

/** @throws RefusedError NOT_OUR_PLUGIN, and the errors of reading and writing settings. */
export async function installPlugin(
  place: PluginPlace,
  scope: Scope,
  { choice, closed, timeoutS, workspace }: GateWanted,
  dryRun: boolean,
  now: number,
): Promise<HooksChange> {
  const { form, folder, clientName } = place;
  const file = await readSettingsFile(pathIn(place, scope));
  checkPluginFile(file.path, file.text, folder.dir, form.agent);
  const head = { data: folder.dir, choice, closed, timeoutS, clientName, ...defined({ workspace }) };
  const after = pluginFileText(form, head);
  const told = { ...toldOf(file.path, file.text, after), putIn: file.text === after ? [] : form.events };
  if (dryRun) return told;
  await makeFolder(folder);
  await keepPrograms(keptIn(folder), process.execPath, GATE_PROGRAM);
  if (file.text === after) return told;
  const copy = copyIn(place, file.path, scope, now);
  await writeSettingsFile(file, after, copy);
  return { ...told, ...(file.text !== undefined && { copy }) };
}

/**
 * Removes the plugin file (PLUGIN-FILE-SIDE-1). The hooks' programs stay: a running client may still start them.
 * @throws RefusedError
 */
export async function uninstallPlugin(
  place: PluginPlace,
  scope: Scope,
  dryRun: boolean,
  now: number,
): Promise<HooksChange> {
  const { form, folder } = place;
  const file = await readSettingsFile(pathIn(place, scope));
  const head = pluginHeadIn(file.text);
  const isOurs = head?.data === folder.dir;
  const told = {
    ...toldOf(file.path, file.text, isOurs ? undefined : file.text),
    takenOut: isOurs ? form.events : [],
    others: head === undefined || isOurs ? [] : [head.data],
  };
  if (dryRun || !isOurs) return told;
  const isChanged = file.text !== pluginFileText(form, head);
  const copy = isChanged ? copyIn(place, file.path, scope, now) : undefined;
  await removeSettingsFile(file, copy);
  return { ...told, ...defined({ copy }) };
}

export function pluginStatus(place: PluginPlace): Promise<HooksStatus> {
  const { form, folder } = place;
  const pathOf = (scope: Scope): string => pathIn(place, scope);
  return statusOver(folder, form.scopes, pathOf, (text) => {
    const head = pluginHeadIn(text);
    if (head?.data !== folder.dir) return { installed: 0, faults: [] };
    const { choice: gate, closed, workspace } = head;
    const isRight = text === pluginFileText(form, head);
    const faults = isRight ? [] : ["it was changed, or is of an earlier version"];
    return { installed: form.events.length, gate, closed, ...defined({ workspace }), faults };
  });
}

const copyIn = ({ folder }: PluginPlace, path: string, scope: Scope, now: number): string =>
  join(folder.hooks, `${basename(path)}.${scope}.${now}`);

/** @param before the file's text; undefined if there was no file. @param after its new text; undefined if the file is removed. */
const toldOf = (path: string, before: string | undefined, after: string | undefined) => ({
  path,
  changes: before === after ? [] : lineChanges(before ?? "", after ?? ""),
  putIn: [],
  takenOut: [],
  others: [],
  areHooksOff: false,
});

// Plugin
// The hooks as a plugin: the client loads a folder that Signalbox writes, and the client's settings stay unchanged.
//
//   Owns:          the files of the plugin, recognising Signalbox's folders.
//   Does not own:  the hooks themselves (settings), the hooks' programs (programs).
//
// PLUGIN-1. A folder that contains anything but this plugin is not changed.
// PLUGIN-2. Each file of the plugin is written completely or not at all; writing a file twice gives the same content.

import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { unlessMissing } from "../../runtime/errors/system-codes.ts";
import { isFields, jsonIn } from "../../machines/json.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { type Wanted, withHooks } from "./settings.ts";

const NAME = "signalbox";
const MANIFEST = join(".claude-plugin", "plugin.json");
const HOOKS = join("hooks", "hooks.json");

interface PluginFile {
  readonly path: string;
  readonly text: string;
}

export function pluginFiles(
  dir: string,
  data: string,
  wanted: readonly Wanted[],
  version: string,
): readonly PluginFile[] {
  const description = "Tells Signalbox what the agent does, and lets Signalbox answer for you.";
  return [
    {
      path: join(dir, MANIFEST),
      text: `${JSON.stringify({ name: NAME, version, description }, undefined, 2)}\n`,
    },
    { path: join(dir, HOOKS), text: withHooks("{}\n", data, wanted) },
  ];
}

/** @returns those of the plugin's files whose content would change. @throws RefusedError NOT_OUR_PLUGIN */
export async function changedPluginFiles(
  dir: string,
  files: readonly PluginFile[],
): Promise<readonly PluginFile[]> {
  const there = (await unlessMissing(readdir(dir, { recursive: true, withFileTypes: true }))) ?? [];
  const inside = there.filter((each) => !each.isDirectory());
  const known = files.map(({ path }) => relative(dir, path));
  const other = inside
    .map(({ parentPath, name }) => relative(dir, join(parentPath, name)))
    .find((path) => !known.includes(path));
  const manifest = await readFile(join(dir, MANIFEST), "utf8").catch(() => undefined);
  if (other !== undefined) throw notOurs(dir, `${other} is there`);
  const read = jsonIn(manifest);
  if (inside.length > 0 && !(isFields(read) && read["name"] === NAME))
    throw notOurs(dir, `${MANIFEST} is of another plugin`);
  const isChanged = await Promise.all(
    files.map(async ({ path, text }) => (await readFile(path, "utf8").catch(() => undefined)) !== text),
  );
  return files.filter((_, n) => isChanged[n]);
}

/** Writes the plugin's files (PLUGIN-2). @param makeDeep creates a folder and the missing folders above it. */
export async function writePluginFiles(
  files: readonly PluginFile[],
  makeDeep: (dir: string) => Promise<void>,
): Promise<void> {
  for (const { path, text } of files) {
    await makeDeep(dirname(path));
    const draft = `${path}.${randomUUID()}`;
    await writeFile(draft, text, { mode: 0o600, flag: "wx" });
    await rename(draft, path);
  }
}

const notOurs = (dir: string, why: string): RefusedError =>
  new RefusedError(
    "NOT_OUR_PLUGIN",
    `${dir} holds something else: ${why}. Nothing was written.`,
    "Name a new folder, or an empty one.",
    "plugin",
  );

// Links
// Checks the index by workspace, which has one link for each request.
//
//   Owns:          finding the requests without a link, and the links whose file is gone.
//   Does not own:  adding or removing links (folder).
//
// LINKS-1. Links that other programs made stay as they are. Where another implementation of S1 (docs/why/requirements.md) wrote
//     a copy of a file into the index, the copy is replaced by a link.

import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { unless, unlessMissing } from "../../runtime/errors/system-codes.ts";
import { fileName, idOfName, indexIn, indexTarget, workspaceIn } from "./format.ts";

/** @param workspaces the workspace of each file, by the file's name. @returns the files that have no link in the index. */
export async function missingLinks(
  base: string,
  workspaces: ReadonlyMap<string, string>,
): Promise<readonly (readonly [name: string, workspace: string])[]> {
  const linked = new Map<string, ReadonlySet<string>>();
  const missing: (readonly [string, string])[] = [];
  for (const [name, workspace] of workspaces) {
    const dir = workspaceIn(base, workspace);
    const names = linked.get(dir) ?? (await linksIn(dir));
    linked.set(dir, names);
    if (!names.has(fileName(name))) missing.push([name, workspace]);
  }
  return missing;
}

/** The index's links whose file does not exist. Only links that Signalbox made are returned. */
export async function deadLinks(
  base: string,
  names: ReadonlySet<string>,
): Promise<readonly { readonly path: string; readonly name: string }[]> {
  const dead = [];
  for (const workspace of await readdir(indexIn(base), { withFileTypes: true })) {
    if (!workspace.isDirectory()) continue;
    const dir = join(indexIn(base), workspace.name);
    for (const file of await linksIn(dir)) {
      const name = idOfName(file);
      if (name === undefined || names.has(name)) continue;
      const target = await unless(["ENOENT", "EINVAL"], readlink(join(dir, file)));
      if (target === indexTarget(name)) dead.push({ path: join(dir, file), name });
    }
  }
  return dead;
}

/** The names of all entries except regular files: such a file is a copy by another program, and a link replaces it (LINKS-1). */
async function linksIn(dir: string): Promise<ReadonlySet<string>> {
  const entries = (await unlessMissing(readdir(dir, { withFileTypes: true }))) ?? [];
  return new Set(entries.filter((entry) => !entry.isFile()).map(({ name }) => name));
}

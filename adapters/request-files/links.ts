// Links
// Checks the index by workspace, which has one link for each request.
//
//   Owns:          finding the requests without a link, and the links whose file is gone.
//   Does not own:  adding or removing links (folder).
//
// LINKS-1. Links of others stay as they are. Only a copy of an existing file, as other implementations of S1 write it,
//     counts as missing and is replaced by a link.

import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { isCode, unless } from "../../runtime/errors/system-codes.ts";
import { fileName, idOfName, indexIn, indexTarget, workspaceIn } from "./format.ts";

/** @param workspaces the workspaces of files, by their names. @returns the files that the index lacks. */
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

/** Links of Signalbox whose file does not exist. */
export async function deadLinks(
  base: string,
  names: ReadonlySet<string>,
): Promise<readonly { readonly path: string; readonly name: string }[]> {
  const dead = [];
  for (const workspace of await foldersIn(indexIn(base))) {
    const dir = join(indexIn(base), workspace);
    for (const file of await linksIn(dir)) {
      const name = idOfName(file);
      if (name === undefined || names.has(name)) continue;
      const target = await unless(["ENOENT", "EINVAL"], readlink(join(dir, file)));
      if (target === indexTarget(name)) dead.push({ path: join(dir, file), name });
    }
  }
  return dead;
}

async function foldersIn(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Every entry except regular files, which are copies (LINKS-1). */
async function linksIn(dir: string): Promise<ReadonlySet<string>> {
  try {
    const entries = await readdir(dir, { withFileTypes: true });
    return new Set(entries.filter((entry) => !entry.isFile()).map(({ name }) => name));
  } catch (error) {
    if (isCode(error, "ENOENT")) return new Set();
    throw error;
  }
}

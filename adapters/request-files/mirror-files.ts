// Mirror files
// The folder that mirrors an engine's requests: checking whose folder it is, and writing and removing one file at a time.
//
//   Owns:          checking and making the folder; mirror.json, which records how far the mirror has read; drafts, which are
//                  renamed to their final path once they are complete.
//   Does not own:  the content of a request's file (format.ts), when a file is written (mirror.ts).
//
// MIRROR-FILES-1. A reader finds either a complete file or none. Earlier contents are not stored: the engine has them.
// MIRROR-FILES-2. A folder is changed only if it is new, or if its mirror.json names the data folder of this engine.
// MIRROR-FILES-3. Every request has a file in the folder of its workspace. If several workspaces have a request with the same
//     id, `requests/<id>.json` belongs to the workspace that used the id first.

import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, readdir, readlink, realpath, rename, symlink, unlink } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { isCode, unlessMissing } from "../../runtime/errors/system-codes.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { isSystemError, systemName } from "../../runtime/errors/trouble.ts";
import {
  indexPath,
  indexTarget,
  readState,
  requestsIn,
  type StateFile,
  statePath,
  textOf,
} from "./format.ts";
import { makeOwnFolder, putOwn, readOwn, syncFolder } from "./own-file.ts";

export interface MirroredRequest {
  readonly workspace: string;
  readonly id: string;
}

const DRAFT = ".mirror-";
const SUFFIX = ".json";
const placeFile = z.object({
  format: z.literal(1),
  of: z.string(),
  after: z
    .string()
    .regex(/^.{1,200}-\d{1,15}$/)
    .optional(),
});

export class MirrorFiles {
  readonly #dir: string;
  readonly #of: string;
  /** Folders in which names have changed that are not durable yet. */
  readonly #changed = new Set<string>();

  /** @param of whose folder it is: the path of the engine's data folder; empty for an engine in memory. */
  constructor(dir: string, of: string) {
    this.#dir = resolve(dir);
    this.#of = of;
  }

  /** @throws RefusedError STATE_FILES_INSIDE, STATE_FILES_NOT_YOURS, STATE_FILES_TAKEN, STATE_FILES_UNUSABLE */
  async prepare(): Promise<void> {
    try {
      if (this.#of !== "" && isWithin(await standing(this.#of), await standing(this.#dir)))
        throw inside(this.#dir);
      await makeOwnFolder(this.#dir);
      const requests = requestsIn(this.#dir);
      const known = await this.#known();
      if (!known && (await standsAt(requests))) throw taken(this.#dir, "requests of somebody else");
      if (known && known.of !== this.#of)
        throw taken(this.#dir, `the requests of the engine on ${known.of || "memory"}`);
      if (!known) await this.savePlace(undefined);
      for (const path of [requests, join(requests, "by-workspace")]) await makeOwnFolder(path);
      for (const dir of [this.#dir, requests, ...(await this.#workspaces())])
        for (const name of await readdir(dir)) if (name.startsWith(DRAFT)) await drop(join(dir, name));
    } catch (error) {
      throw inWords(this.#dir, error);
    }
  }

  /** @returns the place in the change log up to which all files are written; undefined if all files must be written. */
  async place(): Promise<string | undefined> {
    return (await this.#known())?.after;
  }

  async savePlace(after: string | undefined): Promise<void> {
    const text = JSON.stringify({ format: 1, of: this.#of, after });
    await this.#write(join(this.#dir, "mirror.json"), `${text}\n`);
    await syncFolder(this.#dir);
  }

  async put(request: StateFile["request"]): Promise<void> {
    const { workspace, requestId } = request;
    const [path, index] = [statePath(this.#dir, requestId), indexPath(this.#dir, workspace, requestId)];
    const before = await this.#read(path);
    for (const each of [path, index]) this.#changed.add(dirname(each));
    const text = (generation: number): string => textOf({ request, generation });
    await makeOwnFolder(dirname(index));
    if (before && before.request.workspace !== workspace) {
      const own = await this.#read(index);
      await this.#write(index, text((own?.generation ?? 0) + 1));
      return;
    }
    await this.#write(path, text((before?.generation ?? 0) + 1));
    await this.#link(index, indexTarget(requestId));
  }

  async remove({ workspace, id }: MirroredRequest): Promise<void> {
    const path = statePath(this.#dir, id);
    const found = await this.#read(path);
    await drop(indexPath(this.#dir, workspace, id));
    if (!found || found.request.workspace === workspace) await drop(path);
  }

  /** Every request that has a file in the folder. Unreadable files are skipped. */
  async *all(): AsyncGenerator<MirroredRequest> {
    for (const folder of [requestsIn(this.#dir), ...(await this.#workspaces())])
      for (const name of await readdir(folder)) {
        if (!name.endsWith(SUFFIX)) continue;
        const path = join(folder, name);
        const isLink = (await standsAt(path))?.isSymbolicLink() === true;
        const found = await this.#read(isLink ? join(requestsIn(this.#dir), name) : path);
        if (found) yield { workspace: found.request.workspace, id: found.request.requestId };
        else if (isLink) yield { workspace: basename(folder), id: name.slice(0, -SUFFIX.length) };
      }
  }

  /** Makes the names of written files durable. Must be called before `savePlace` records that these files are written. */
  async settle(): Promise<void> {
    for (const folder of [...this.#changed]) {
      await syncFolder(folder);
      this.#changed.delete(folder);
    }
  }

  async #workspaces(): Promise<readonly string[]> {
    const all = join(requestsIn(this.#dir), "by-workspace");
    return (await readdir(all)).map((name) => join(all, name));
  }

  async #read(path: string): Promise<StateFile | undefined> {
    try {
      const found = await readOwn(path);
      return found && readState(path, found.text);
    } catch (error) {
      // A file that somebody edited or that is cut off counts as missing, and is written anew.
      if (error instanceof RefusedError) return undefined;
      throw error;
    }
  }

  async #known(): Promise<z.infer<typeof placeFile> | undefined> {
    try {
      const found = await readOwn(join(this.#dir, "mirror.json"));
      return found && placeFile.parse(JSON.parse(found.text));
    } catch (error) {
      if (isSystemError(error)) throw error;
      throw taken(this.#dir, "a mirror.json that cannot be read");
    }
  }

  async #link(path: string, target: string): Promise<void> {
    const found = await standsAt(path);
    if (found?.isSymbolicLink() && (await readlink(path)) === target) return;
    const draft = join(dirname(path), DRAFT + randomUUID());
    try {
      await symlink(target, draft);
      await rename(draft, path);
    } catch (error) {
      await drop(draft);
      throw error;
    }
  }

  /** Writes a file completely or not at all (MIRROR-FILES-1). */
  async #write(path: string, text: string): Promise<void> {
    await putOwn(path, join(dirname(path), DRAFT + randomUUID()), text);
  }
}

const standsAt = (path: string): Promise<Stats | undefined> => unlessMissing(lstat(path));

const drop = (path: string): Promise<void> => unlessMissing(unlink(path));

/** The real path behind a path that need not exist: links are followed in the part that exists. */
async function standing(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isCode(error, "ENOENT") || dirname(path) === path) throw error;
    return join(await standing(dirname(path)), basename(path));
  }
}

function isWithin(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way === "" || !/^\.\.(\/|$)/.test(way);
}

const inside = (dir: string): RefusedError =>
  new RefusedError(
    "STATE_FILES_INSIDE",
    `The folder for state files, ${dir}, is in the engine's own data folder.`,
    "Name a folder elsewhere with --state-files.",
  );

const notYours = ({ message, next }: RefusedError): RefusedError =>
  new RefusedError(
    "STATE_FILES_NOT_YOURS",
    `No state files are written. ${message}`,
    `${next} Or name a folder of your own with --state-files.`,
  );

const taken = (dir: string, what: string): RefusedError =>
  new RefusedError(
    "STATE_FILES_TAKEN",
    `The folder ${dir} holds ${what}; nothing in it was changed.`,
    "Name another folder with --state-files, or remove what is there if nobody needs it.",
  );

function inWords(dir: string, error: unknown): unknown {
  if (error instanceof RefusedError) return NOT_YOURS.has(error.code) ? notYours(error) : error;
  if (!isSystemError(error)) return error;
  const code = systemName(error.code);
  return new RefusedError(
    "STATE_FILES_UNUSABLE",
    `The folder for state files, ${dir}, cannot be used (${code}).`,
    NEXT[code] ?? "Name another folder with --state-files.",
  );
}

const NOT_YOURS: ReadonlySet<string> = new Set(["STATE_NOT_YOURS", "STATE_OPEN_TO_OTHERS"]);

const NEXT: Readonly<Record<string, string>> = {
  EACCES: "Run the engine as the user that the folder belongs to, or name another folder with --state-files.",
  ENOSPC: "Make room on the folder's disk, or name a folder on another disk with --state-files.",
  EDQUOT: "Make room on the folder's disk, or name a folder on another disk with --state-files.",
  ENOTDIR: "A file stands where a folder should be. Name another folder with --state-files.",
  EEXIST: "A file stands where a folder should be. Name another folder with --state-files.",
};

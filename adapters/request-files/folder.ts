// Folder
// Reads, creates, changes and removes requests in one folder, one writer at a time. A call returns once its change is durable.
//
//   Owns:          the order in which the files of a request are written.
//   Does not own:  the files' content (format, lifecycle), when requests are removed (recovery).
//
// FOLDER-1. A change of a file takes effect completely or not at all: the new file is written beside the old one, synced and
//     renamed; then its folder is synced.
// FOLDER-2. A change reads and writes the file under one claim, so that no other writer's update is lost.
// FOLDER-3. A request's link in the index (`requests/by-workspace`) is made before the request's file and removed after it, so
//     that no request is missing from the index.
// FOLDER-4. The content that a file had before its last write is stored, too, in `.before`.

import { link, lstat, readdir, readlink, rename, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isCode, unless, unlessMissing } from "../../runtime/errors/system-codes.ts";
import { toId } from "../../runtime/foreign-id.ts";
import { type Claim, Claims } from "./claims.ts";
import {
  beforePath,
  fileName,
  idOfName,
  indexIn,
  indexPath,
  indexTarget,
  readState,
  requestsIn,
  type StateFile,
  statePath,
  textOf,
  workspaceIn,
} from "./format.ts";
import { deadLinks, missingLinks } from "./links.ts";
import { keepOwn, makeOwnFolder, markAt, putOwn, readOwn, syncFolder } from "./own-file.ts";
import { misnamed, requestExists } from "./refusals.ts";
import { busy, inWords, unsynced } from "./trouble.ts";

const CLAIM_MAX_MS = 60_000;
const PARTS = [".claims", ".before", ".damaged"] as const;

export interface Kept {
  readonly file: StateFile;
  /** A text that changes whenever the file changes. */
  readonly mark: string;
}

/** The file's next content; undefined for no change. */
export type Change = StateFile | "remove" | undefined;

export class RequestFolder {
  readonly #base: string;
  readonly #claims: Claims;
  readonly #lines = new Map<string, Promise<unknown>>();
  readonly #workspaces = new Set<string>();
  #syncing: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | undefined;

  /** @param base the folder that contains the folder `requests`. */
  constructor(base: string) {
    this.#base = base;
    this.#claims = new Claims(this.#path(".claims"));
  }

  /** Creates the missing folders. @throws RefusedError if a folder does not belong to this user alone. */
  make(): Promise<void> {
    return inWords(this.#base, async () => {
      for (const path of [
        this.#base,
        requestsIn(this.#base),
        indexIn(this.#base),
        ...PARTS.map((name) => this.#path(name)),
      ])
        await makeOwnFolder(path);
      await this.#claims.sweep();
    });
  }

  /** Waits for running writes, then removes this process's own auxiliary files. */
  async close(): Promise<void> {
    await Promise.all(this.#lines.values());
    await unlessMissing(this.#claims.clear());
  }

  /** The id, or the id's hash, from the name of each file. */
  async names(): Promise<readonly string[]> {
    const found = await inWords(requestsIn(this.#base), () => unlessMissing(readdir(requestsIn(this.#base))));
    return (found ?? []).flatMap((name) => idOfName(name) ?? []);
  }

  async namesOf(workspace: string): Promise<readonly string[]> {
    const dir = workspaceIn(this.#base, workspace);
    const found = await inWords(dir, () => unlessMissing(readdir(dir)));
    return (found ?? []).flatMap((name) => idOfName(name) ?? []);
  }

  /** @returns the request's file; undefined if there is none. @throws RefusedError STATE_DAMAGED, STATE_FORMAT, … */
  read(id: string): Promise<Kept | undefined> {
    const path = statePath(this.#base, id);
    return inWords(path, () => keptAt(path, fileName(id)));
  }

  /** @returns the file's mark; undefined if there is no file. */
  markOf(id: string): Promise<string | undefined> {
    const path = statePath(this.#base, id);
    return inWords(path, () => Promise.resolve(markAt(path)));
  }

  /** @throws RefusedError REQUEST_EXISTS */
  create(file: StateFile): Promise<Kept> {
    const { requestId, workspace } = file.request;
    const path = statePath(this.#base, requestId);
    return this.#claimed(requestId, async (room) => {
      const mark = await putOwn(path, room.inside("next"), textOf(file), async () => {
        if (markAt(path) !== undefined) throw requestExists(requestId);
        await this.#enter(room, workspace, requestId);
      });
      await this.#sync();
      return { file, mark };
    });
  }

  /**
   * Changes a file (FOLDER-2).
   * @param step may be called more than once.
   * @returns the content afterwards, or before a removal.
   */
  change(id: string, step: (file: StateFile) => Change): Promise<Kept | undefined> {
    const path = statePath(this.#base, id);
    return this.#claimed(id, async (room) => {
      const kept = await keptAt(path, fileName(id));
      if (!kept) return undefined;
      const next = step(kept.file);
      if (next === undefined) return kept;
      if (next === "remove") return this.#takeAway(room, kept);
      return { file: next, mark: await this.#replace(room, id, next) };
    });
  }

  /**
   * Restores the content that a damaged file had before its last write; the damaged file stays, too.
   * @returns undefined if there is no such content.
   */
  restore(id: string): Promise<Kept | undefined> {
    const path = statePath(this.#base, id);
    return this.#claimed(id, async (room) => {
      const before = await keptAt(beforePath(this.#base, id), fileName(id)).catch(() => undefined);
      if (!before) return undefined;
      const file = { ...before.file, generation: before.file.generation + 1 };
      const mark = await putOwn(path, room.inside("next"), textOf(file), () =>
        link(path, join(this.#path(".damaged"), `${fileName(id)}.${Date.now()}`)),
      );
      await this.#sync();
      return { file, mark };
    });
  }

  /** Adds missing links to the index, and removes dead ones. @param workspaces the workspace of each file, by the file's name. */
  async reindex(workspaces: ReadonlyMap<string, string>): Promise<void> {
    await inWords(indexIn(this.#base), async () => {
      for (const [name, workspace] of await missingLinks(this.#base, workspaces))
        await this.#claimed(name, (room) => this.#enter(room, workspace, name));
      for (const { path, name } of await deadLinks(this.#base, new Set(await this.names())))
        // A link is removed only under its claim: a writer makes the link before the file, so the link could look dead to others.
        await this.#claimed(name, async (room) => {
          if (markAt(statePath(this.#base, name)) === undefined) await unlessMissing(takeOut(room, path));
        });
    });
  }

  async #replace(room: Claim, id: string, next: StateFile): Promise<string> {
    const path = statePath(this.#base, id);
    const mark = await putOwn(path, room.inside("next"), textOf(next), () =>
      keepOwn(path, room.inside("before"), beforePath(this.#base, id)),
    );
    await this.#sync();
    return mark;
  }

  async #takeAway(room: Claim, kept: Kept): Promise<Kept> {
    const { requestId, workspace } = kept.file.request;
    await unlessMissing(takeOut(room, beforePath(this.#base, requestId)));
    await takeOut(room, statePath(this.#base, requestId));
    await this.#sync();
    const index = indexPath(this.#base, workspace, requestId);
    if (!(await unlessMissing(lstat(index)))?.isDirectory()) await unlessMissing(takeOut(room, index));
    return kept;
  }

  async #enter(room: Claim, workspace: string, id: string): Promise<void> {
    const dir = workspaceIn(this.#base, workspace);
    if (!this.#workspaces.has(dir)) await makeOwnFolder(dir);
    this.#workspaces.add(dir);
    const path = indexPath(this.#base, workspace, id);
    const target = indexTarget(id);
    // If there is a link already, another process usually made it, with the same target. Anything else at the path is replaced.
    const isMade = await unless(
      ["EEXIST"],
      symlink(target, path).then(() => true),
    );
    if (isMade) return;
    if ((await unless(["EINVAL", "ENOENT"], readlink(path))) === target) return;
    await symlink(target, room.inside("link"));
    await rename(room.inside("link"), path);
  }

  /** Runs a request's steps one after another in this process. Between processes, the claim decides whose turn it is. */
  #claimed<T>(id: string, step: (room: Claim) => Promise<T>): Promise<T> {
    const name = toId(id);
    const before = this.#lines.get(name) ?? Promise.resolve();
    const turn = before.then(() => inWords(requestsIn(this.#base), () => this.#alone(name, step)));
    // The request's next step waits until this step's claim is released. The caller of this step does not wait for that.
    const over = turn.then(
      ({ room }) => letGo(room, true),
      () => undefined, // The caller of this step gets the error.
    );
    this.#lines.set(name, over);
    void over.then(() => this.#lines.get(name) === over && this.#lines.delete(name));
    return turn.then(({ result }) => result);
  }

  async #alone<T>(
    name: string,
    step: (room: Claim) => Promise<T>,
  ): Promise<{ readonly result: T; readonly room: Claim }> {
    for (const until = performance.now() + CLAIM_MAX_MS; ;) {
      const room = await this.#claims.take(name, until - performance.now());
      if (!room) throw busy(name);
      try {
        return { result: await step(room), room };
      } catch (error) {
        const isTaken = isCode(error, "ENOENT") && !(await room.holds());
        await letGo(room, false);
        // If a path is missing because the claim was taken away meanwhile, the step is tried again; other errors are passed on.
        if (!isTaken) throw error;
      }
    }
  }

  /** Makes the names of new files durable. One sync serves all callers that wait. */
  #sync(): Promise<void> {
    return (this.#nextSync ??= this.#syncing.then(() => {
      this.#nextSync = undefined;
      const folder = requestsIn(this.#base);
      const syncing = syncFolder(folder).catch((error: unknown) => {
        throw unsynced(folder, error);
      });
      this.#syncing = syncing.catch(() => undefined); // The waiting callers get the error.
      return syncing;
    }));
  }

  #path(name: string): string {
    return join(requestsIn(this.#base), name);
  }
}

/** Releases a claim. A failure does not matter, because others take the claim after a while (CLAIMS-3). */
const letGo = (room: Claim, isEmpty: boolean): Promise<void> => room.release(isEmpty).catch(() => undefined);

/** Moves a file into the claim's folder and removes it there, so that a writer that has lost its claim removes nothing. */
async function takeOut(room: Claim, path: string): Promise<void> {
  await rename(path, room.inside("gone"));
  await unlink(room.inside("gone"));
}

async function keptAt(path: string, name: string): Promise<Kept | undefined> {
  const found = await readOwn(path);
  if (!found) return undefined;
  const file = readState(path, found.text);
  if (fileName(file.request.requestId) !== name) throw misnamed(path, file.request.requestId);
  return { file, mark: found.mark };
}

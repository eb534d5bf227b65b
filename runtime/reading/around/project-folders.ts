// Project folders
// Remembers the folder that hooks of this machine's own user named for each session.
//
//   Owns:          who may name a folder, how many are remembered.
//   Does not own:  the folder that a session shows (machines), because any sender can name that folder.
//
// PROJECT-FOLDERS-1. A folder counts only if a hook that this machine's own user sent names it, and only for the hook's own
//     session. A hook on another machine names a path there, which on this machine would lead to another folder.
// PROJECT-FOLDERS-2. The first folder that is named for a session counts, so an agent that changes its folder later does not
//     widen what may be read.
// PROJECT-FOLDERS-3. The folders of 5,000 sessions are remembered, in memory only.

import { isFields } from "../../../machines/json.ts";
import { isLocal } from "../../access-token.ts";
import type { HookForm } from "../../client-profile.ts";
import type { Clients } from "../../clients.ts";
import { RefusedError } from "../../errors/errors.ts";
import type { SourceMessage } from "../../message.ts";

const SESSIONS_MAX = 5_000;
/** The longest path of a session's folder that is used. A longer path may have been shortened. */
const PATH_MAX = 1_024;

export class ProjectFolders {
  readonly #clients: Clients;
  readonly #folders = new Map<string, string>();

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  /** Notes the project's folder that a hook's message names, once the message is in the journal. */
  heard({ workspace, session, type, data }: SourceMessage, by: string): void {
    const key = keyOf(workspace, session);
    const hook = this.#clients.ofType(type)?.hook;
    if (!hook || !isLocal(by) || this.#folders.has(key)) return;
    const cwd = folderIn(hook, data);
    if (cwd === undefined || cwd.length >= PATH_MAX) return;
    this.#folders.set(key, cwd);
    const [oldest] = this.#folders.keys();
    if (this.#folders.size > SESSIONS_MAX && oldest !== undefined) this.#folders.delete(oldest);
  }

  of(workspace: string, session: string): string | undefined {
    return this.#folders.get(keyOf(workspace, session));
  }
}

/** The project's folder in a hook's data. The payload of a hook that waits for an answer is wrapped in an object (door/hook). */
function folderIn({ eventField, read }: HookForm, data: unknown): string | undefined {
  const isWrapped = isFields(data) && "hook" in data && !(eventField in data);
  try {
    return read(isWrapped ? data["hook"] : data).cwd;
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

const keyOf = (workspace: string, session: string): string => `${workspace}/${session}`;

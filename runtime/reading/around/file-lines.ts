// File lines
// Shows the lines of a file around the text that a call would edit, while the call waits for approval.
//
//   Owns:          for which approvals lines are shown, and to whom; which files are never shown.
//   Does not own:  which lines of a file are shown (around), reading files (adapters).
//   Decided in:    docs/decisions/0098-lines-of-a-projects-file.md.
//
// FILE-LINES-1. Lines are shown only of the file that the input of a pending approval names, and only if the file is below the
//     folder that a hook of this machine's own user named for the session (PROJECT-FOLDERS-1).
// FILE-LINES-2. Lines are shown only if every request for the approval came from this machine's own user.
// FILE-LINES-3. The setting `fileLines` says who gets lines: with `own`, only the engine's own user on the engine's machine;
//     with `all`, everybody who may answer the approval; with `off`, or any other word, nobody.
// FILE-LINES-4. An answer without lines never tells the reason: it says only that the lines are not known.
// FILE-LINES-5. Lines are shown only if no part of the file's path below the folder is empty, `.` or `..`, so that the path
//     never leads out of the folder.
// FILE-LINES-6. No lines are shown of a file that the table of risks marks as a secret, or that is one of Git's own files.

import { type ApprovalContext, parseAddress } from "../../../machines/index.ts";
import { isLocal } from "../../access-token.ts";
import type { Clients } from "../../clients.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Audience } from "../../engine-settings.ts";
import type { SourceMessage } from "../../message.ts";
import { findOwned, type Within } from "../lookup.ts";
import type { Queries } from "../queries.ts";
import { Reader } from "../reader.ts";
import { type EditLines, linesAround } from "./around.ts";
import { editsOf } from "./edits.ts";
import { ProjectFolders } from "./project-folders.ts";
import { risksOf } from "../../risks/risks.ts";
import { isFields } from "../../../machines/json.ts";

/** The lines of a file around the edits of one call, as the file is now. */
export interface LinesAround {
  /** False if the file is unknown, is unreadable, must never be shown, or lacks the texts that the edits change. */
  readonly isKnown: boolean;
  readonly edits: readonly EditLines[];
}

export const UNKNOWN_LINES: LinesAround = { isKnown: false, edits: [] };

/**
 * Reads a regular file without following links.
 * @returns undefined for anything but a regular file, and for a file that is too long.
 */
export type ReadBelow = (place: Place, bytesMax: number) => Promise<Uint8Array | undefined>;

/** @param by the name of whoever wants to see the lines. @throws AmbiguousError */
export type ReadLines = (id: string, within: Within, by: string) => Promise<LinesAround>;

interface FileLinesOptions {
  readonly audience: Audience;
  readonly engine: Engine;
  readonly queries: Queries;
  readonly clients: Clients;
  readonly read: ReadBelow;
}

const BYTES_MAX = 512 * 1024;
/** How many files are read at the same time at most: a disk that does not answer must not block all threads of the engine. */
const READS_MAX = 2;

export class FileLines {
  readonly #options: FileLinesOptions;
  readonly #folders: ProjectFolders;
  #reads = 0;

  constructor(options: FileLinesOptions) {
    this.#options = options;
    this.#folders = new ProjectFolders(options.clients);
  }

  /** Takes a hook's message that is in the journal, to learn the session's folder. Never throws. */
  readonly heard = (message: SourceMessage, by: string): void => {
    if (this.#options.audience !== "off") this.#folders.heard(message, by);
  };

  readonly read: ReadLines = async (id, within, by) => {
    const { audience, queries } = this.#options;
    const folder = isAmong(audience, by) ? this.#folderOf(id, within) : undefined;
    const asked = folder === undefined ? undefined : await queries.wholeApproval(id, within);
    if (folder === undefined || !asked) return UNKNOWN_LINES;
    const { input } = asked as { readonly input?: unknown };
    const found = editsOf(asked.tool, input)?.edits ?? [];
    const place = found.length === 0 ? undefined : placeOf(input, folder);
    const text = place && (await this.#textOf(place));
    const edits = text === undefined ? [] : linesAround(text, found);
    return edits.length === 0 ? UNKNOWN_LINES : { isKnown: true, edits };
  };

  /** The folder below which the file of a pending approval may be read (FILE-LINES-1, FILE-LINES-2). */
  #folderOf(id: string, within: Within): string | undefined {
    const reader = new Reader(this.#options.engine.store);
    const address = findOwned(reader, "approval", id, within);
    const found = address && reader.actor(address);
    if (!found || reader.approval(found).state !== "pending") return undefined;
    const { requestedBy = [] } = found.context as ApprovalContext;
    const { workspace, session } = parseAddress(address);
    return requestedBy.length > 0 && requestedBy.every(isLocal)
      ? this.#folders.of(workspace, session)
      : undefined;
  }

  async #textOf(place: Place): Promise<string | undefined> {
    if (this.#reads >= READS_MAX) return undefined;
    this.#reads += 1;
    try {
      const bytes = await this.#options.read(place, BYTES_MAX);
      return bytes && textIn(bytes);
    } finally {
      this.#reads -= 1;
    }
  }
}

/** True if lines are shown to the person with this name (FILE-LINES-3). */
const isAmong = (audience: Audience, name: string): boolean =>
  audience === "all" || (audience === "own" && isLocal(name));

/** @returns undefined for bytes that are no text. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

interface Place {
  /** The absolute path of the folder. */
  readonly folder: string;
  /** The names of the file's path below the folder; at least one name. */
  readonly names: readonly string[];
}

const PATH_MAX = 4_096;
const GIT = ".git";

/**
 * @param folder the folder, as a client named it.
 * @returns the place of the file that an edit changes; undefined if the input names no file in the folder, or a file that is
 * never shown.
 */
export function placeOf(input: unknown, folder: string): Place | undefined {
  const path = isFields(input) ? input["file_path"] : undefined;
  if (typeof path !== "string" || path.length > PATH_MAX || path.includes("\0")) return undefined;
  const above = folder.replace(/\/+$/, "");
  const isPlain = above.startsWith("/") && namesIn(above.slice(1)) !== undefined;
  if (!isPlain || (path.startsWith("/") && !path.startsWith(`${above}/`))) return undefined;
  const names = namesIn(path.startsWith("/") ? path.slice(above.length + 1) : path);
  const isSecret = risksOf("Read", { file_path: path }, folder).some(({ id }) => id === "secrets");
  if (!names || isSecret || names.some((name) => name.toLowerCase() === GIT)) return undefined;
  return { folder: above, names };
}

/** The names of a path; undefined for a path that is never shown (FILE-LINES-5). */
function namesIn(path: string): readonly string[] | undefined {
  const names = path.split("/");
  return names.some((name) => name === "" || name === "." || name === "..") ? undefined : names;
}

// Watch list
// Which transcripts are watched, and how often each of them is checked for new lines.
//
//   Owns:          the limit on the number of files, dropping quiet files, the pauses between checks.
//   Does not own:  examining files (tailer), what is read (watched-file).
//
// TRANSCRIPTS-WATCH-LIST-1. At most 256 files are watched in all, and 64 per session. A 257th file replaces the file that has
//     been quiet longest, if that file has been quiet for at least a minute. If no file has, or if the session already has 64
//     files, the new file is only counted, not read.
// TRANSCRIPTS-WATCH-LIST-2. A file that no longer exists, or whose session has ended, is dropped once it has been quiet for ten
//     minutes. Any other file is dropped once it has been quiet for a day.

import type { Bell } from "./bell.ts";
import type { Look, WatchedFile } from "./watched-file.ts";

const FILES_MAX = 256;
const SESSION_FILES_MAX = 64;

const ACTIVE_MS = 60_000;
/** The pause between two looks at a file that was named or has grown recently, ms. */
const LOOK_MS = 250;
/** The pause between two looks at a file without recent news, ms. */
const QUIET_LOOK_MS = 2_000;
/** The least pause between two looks at a file, however often the system reports a change of it (bell.ts), ms. */
export const RING_MS = 20;
const OVER_MS = 600_000;
const FORGET_MS = 86_400_000;

export interface Watched {
  readonly file: WatchedFile;
  readonly bell: Bell;
  /** When the file is looked at next, by the monotonic clock, ms. */
  dueAt: number;
  heardAt: number;
  lookedAt: number;
  /** When the folder with the files of the session's subagents is looked at next. */
  folderDueAt: number;
  isLooking: boolean;
  isGone: boolean;
  /** The error code if the file cannot be read. */
  failing: string | undefined;
}

export class WatchList {
  readonly #files = new Map<string, Watched>();

  get size(): number {
    return this.#files.size;
  }

  all(): Iterable<Watched> {
    return this.#files.values();
  }

  get(key: string): Watched | undefined {
    return this.#files.get(key);
  }

  /** Adds a file to the list. @returns false if there is no room for the file (TRANSCRIPTS-WATCH-LIST-1). */
  add(key: string, watched: Watched, now: number): boolean {
    const { workspace, session } = watched.file.named;
    let count = 0;
    for (const { file } of this.#files.values())
      if (file.named.session === session && file.named.workspace === workspace) count += 1;
    if (count >= SESSION_FILES_MAX || !this.#hasRoom(now)) return false;
    this.#files.set(key, watched);
    return true;
  }

  remove(key: string): void {
    this.#files.get(key)?.bell.close();
    this.#files.delete(key);
  }

  /** Drops files that were quiet for long enough (TRANSCRIPTS-WATCH-LIST-2). @returns whether a file was dropped. */
  prune(now: number): boolean {
    const before = this.#files.size;
    for (const [key, { file, heardAt, isGone, isLooking }] of this.#files) {
      const isOver = now - heardAt > (file.isEnded || isGone ? OVER_MS : FORGET_MS);
      if (isOver && !isLooking) this.remove(key);
    }
    return this.#files.size < before;
  }

  #hasRoom(now: number): boolean {
    if (this.#files.size < FILES_MAX) return true;
    let quietest: [string, Watched] | undefined;
    for (const entry of this.#files)
      if (!entry[1].isLooking && entry[1].heardAt < (quietest?.[1].heardAt ?? now - ACTIVE_MS))
        quietest = entry;
    if (quietest) this.remove(quietest[0]);
    return quietest !== undefined;
  }
}

/** Makes the next look at a file come earlier, because there is news of the file. */
export function ring(watched: Watched, now: number): void {
  watched.heardAt = now;
  watched.dueAt = Math.min(watched.dueAt, Math.max(now, watched.lookedAt + RING_MS));
}

/** Records the result of a look. @param waitMs how long to wait before more may be read, ms. */
export function looked(watched: Watched, { is }: Look, waitMs: number, now: number): void {
  if (is === "grown" || is === "more") watched.heardAt = now;
  watched.isGone = is === "gone";
  watched.failing = undefined;
  const pause = now - watched.heardAt < ACTIVE_MS ? LOOK_MS : QUIET_LOOK_MS;
  watched.dueAt = is === "more" ? now + waitMs : now + Math.max(pause, waitMs);
}

// Mirror
// Writes an engine's requests to files, one file per request, for scripts that read them. The files follow the change log.
//
//   Owns:          up to which change files are written, when a file is written, the trouble while a file cannot be written.
//   Does not own:  the files (mirror-files.ts), the requests (runtime); the engine never reads the files.
//
// MIRROR-1. Each change is in its request's file within a second, as long as the disk accepts the write.
// MIRROR-2. The place in the log is stored once the files of all changes before it are durable: if a process dies, the next
//     process writes the missing files. If the log no longer reaches back to the stored place, every file is written anew.
// MIRROR-3. The engine never waits for a file. While a file cannot be written, a trouble is reported; the file is written later.
// MIRROR-4. If the engine has removed a request, the request's file is removed within ten minutes.
//
// Why: docs/decisions/0041-state-files-are-a-mirror.md

import { setImmediate as nextTick } from "node:timers/promises";
import { Bell } from "../../runtime/bell.ts";
import type { StateChange } from "../../runtime/rows/changes.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import { changesAfter } from "../../runtime/reading/following.ts";
import type { Clock } from "../../runtime/ports.ts";
import type { Queries } from "../../runtime/reading/queries.ts";
import { codeOf, type Trouble } from "../../runtime/errors/trouble.ts";
import type { RequestView } from "../../runtime/rows/views.ts";
import { anyNews, waitFor } from "../../runtime/wait-for.ts";
import type { StateFile } from "./format.ts";
import type { MirroredRequest, MirrorFiles } from "./mirror-files.ts";

export interface MirrorOptions {
  readonly engine: Engine;
  readonly queries: Pick<Queries, "getRequest" | "listRequests">;
  readonly clock: Clock;
  readonly files: Pick<MirrorFiles, "place" | "savePlace" | "put" | "remove" | "all" | "settle">;
  readonly onError: (error: unknown) => void;
}

const AGAIN_MS = 1_000;
const PRUNE_MS = 600_000;
const AT_ONCE = 8;

export class Mirror {
  readonly #options: MirrorOptions;
  #isStopping = false;
  /** True if changes have come since the last round began. */
  #isRung = false;
  readonly #bell = new Bell();
  readonly #unsubscribe: () => void;
  /** Requests whose files must be written, by workspace and id. */
  readonly #due = new Map<string, MirroredRequest>();
  /** Requests whose files could not be written: each is tried again every second, while other files are written. */
  readonly #stuck = new Map<string, MirroredRequest>();
  #retriedAt = -Infinity;
  /** The place in the change log up to which the log was read. */
  #read: string | undefined;
  /** The place in the change log that is stored: up to it, all files are durably written. */
  #kept: string | undefined;
  #isOpen = false;
  #prunedAt = -Infinity;
  #failing: { readonly error: unknown; readonly since: number } | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#unsubscribe = options.engine.onChanges(() => this.#ring());
  }

  /** Begins to write the files. Called once the engine is ready. */
  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#isStopping = true;
    this.#ring();
    await this.#running;
  }

  troubles(): readonly Trouble[] {
    if (!this.#failing) return [];
    const code = codeOf(this.#failing.error);
    const count = this.#due.size + this.#stuck.size;
    const behind = count === 0 ? "Files are out of date." : `Requests with files out of date: ${count}.`;
    return [
      {
        code: "STATE_FILES_STUCK",
        message: `The engine cannot write the state files (${code}). ${behind} The engine itself goes on.`,
        next:
          NEXT[code] ??
          "Look for the cause in the folder that --state-files names; the engine tries again each second.",
        since: this.#failing.since,
        isEssential: false,
      },
    ];
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#isRung = false;
      const isLast = this.#isStopping;
      const isDone = await this.#round(isLast);
      if (isLast) return;
      await this.#wait(isDone ? PRUNE_MS : AGAIN_MS);
    }
  }

  /** Writes what has changed. @returns false if something must be tried again. */
  async #round(isLast: boolean): Promise<boolean> {
    const { files, clock } = this.#options;
    try {
      if (!this.#isOpen) this.#read = this.#kept = await files.place();
      this.#isOpen = true;
      this.#read = await this.#follow(this.#read);
      this.#tryAgain(isLast);
      await this.#write();
      if (this.#read !== this.#kept) {
        await files.settle();
        await files.savePlace(this.#read);
        this.#kept = this.#read;
      }
      if (!isLast && clock.monotonic() - this.#prunedAt >= PRUNE_MS) {
        await this.#prune();
        this.#prunedAt = clock.monotonic();
      }
      this.#failing = undefined;
      return true;
    } catch (error) {
      // Nothing is lost: requests whose files are missing are still in `#due` or `#stuck`, and the stored place is before their
      // changes.
      this.#fails(error);
      return false;
    }
  }

  /** Notes which requests have changed since a place in the change log. @returns the place at the log's end. */
  async #follow(place: string | undefined): Promise<string> {
    const { engine, onError } = this.#options;
    const lost = (_: string, error: unknown): void => onError(error);
    for (let after = place; after !== undefined;) {
      const page = changesAfter(engine, {}, { after, limit: 1_000 }, lost);
      if (page.gap) break;
      for (const change of page.items) this.#note(change);
      if (!page.more) return page.next;
      after = page.next;
      await nextTick();
    }
    const now = changesAfter(engine, {}, {}, lost).next;
    await this.#all();
    return now;
  }

  #note({ entity, workspace, id }: StateChange): void {
    if (entity === "request" || entity === "callback") this.#due.set(`${workspace}/${id}`, { workspace, id });
  }

  /** Notes all requests (MIRROR-2), the oldest first, so that a file stays with the workspace that used its id first. */
  async #all(): Promise<void> {
    let cursor: string | undefined;
    do {
      const page = this.#options.queries.listRequests(
        {},
        { limit: 1_000, order: "oldest", ...(cursor !== undefined && { cursor }) },
      );
      for (const { workspace, requestId: id } of page.items)
        this.#due.set(`${workspace}/${id}`, { workspace, id });
      cursor = page.nextCursor;
      await nextTick();
    } while (cursor !== undefined);
  }

  #tryAgain(isLast: boolean): void {
    const now = this.#options.clock.monotonic();
    if (!isLast && now - this.#retriedAt < AGAIN_MS) return;
    this.#retriedAt = now;
    for (const [key, request] of this.#stuck) this.#due.set(key, request);
    this.#stuck.clear();
  }

  /**
   * Writes all due files.
   * @throws once all files were tried: the last error, or, if only files of an earlier round are stuck, that round's error.
   */
  async #write(): Promise<void> {
    let failed: { readonly error: unknown } | undefined;
    const one = async ([key, request]: Due): Promise<void> => {
      try {
        await this.#one(request);
        this.#stuck.delete(key);
      } catch (error) {
        this.#stuck.set(key, request);
        failed = { error };
      }
      this.#due.delete(key);
    };
    for (const some of together([...this.#due])) await Promise.all(some.map(one));
    if (this.#stuck.size > 0) throw (failed ?? this.#failing)?.error;
  }

  async #one(request: MirroredRequest): Promise<void> {
    const { queries, files, onError } = this.#options;
    let view: RequestView | undefined;
    try {
      view = queries.getRequest(request.id, { workspace: request.workspace });
    } catch (error) {
      // If one request's row cannot be read, only that request is not written to its file (G9 of docs/reference/promises.md).
      onError(error);
      return;
    }
    if (view) await files.put(fileOf(view));
    else await files.remove(request);
  }

  /** Removes the files of requests that the engine has removed (MIRROR-4). */
  async #prune(): Promise<void> {
    const { queries, files, engine } = this.#options;
    for await (const request of files.all()) {
      if (this.#isStopping || !engine.isReady) return;
      if (queries.getRequest(request.id, { workspace: request.workspace }) === undefined)
        await files.remove(request);
    }
  }

  #fails(error: unknown): void {
    if (!this.#failing) this.#options.onError(error);
    this.#failing = { error, since: this.#failing?.since ?? this.#options.clock.now() };
  }

  #ring(): void {
    this.#isRung = true;
    this.#bell.ring();
  }

  async #wait(ms: number): Promise<void> {
    if (!this.#isRung) await waitFor(this.#bell.rings, anyNews, { clock: this.#options.clock, ms });
  }
}

type Due = readonly [key: string, request: MirroredRequest];

/** Groups requests, in their order. No group has two requests with the same id, because both may write the same file. */
function* together(all: readonly Due[]): Generator<readonly Due[]> {
  let some = new Map<string, Due>();
  for (const due of all) {
    if (some.size === AT_ONCE || some.has(due[1].id)) {
      yield [...some.values()];
      some = new Map<string, Due>();
    }
    some.set(due[1].id, due);
  }
  yield [...some.values()];
}

/** Makes a file's content from a view. A request without a chat, such as a prompt, gets its session's id as `chatId`. */
function fileOf(view: RequestView): StateFile["request"] {
  // The cast is safe: the state and the previous state in a view are always states of the machine.
  const { state, previousState, chatId, sessionId, ...rest } = view as RequestView &
    Pick<StateFile["request"], "state">;
  return {
    ...rest,
    sessionId,
    state,
    chatId: chatId ?? sessionId,
    ...(previousState !== undefined && { previousState: previousState as StateFile["request"]["state"] }),
    ...(rest.callback && {
      callback: { ...rest.callback, retryTimestamps: [...rest.callback.retryTimestamps] },
    }),
  };
}

const NEXT: Readonly<Record<string, string>> = {
  ENOSPC: "Make room on the disk of the state files; the engine then writes them.",
  EDQUOT: "Make room on the disk of the state files; the engine then writes them.",
  EACCES:
    "Let the engine's user write in the folder that --state-files names; the engine then writes the state files.",
  EROFS: "Make the disk of the state files writable; the engine then writes them.",
};

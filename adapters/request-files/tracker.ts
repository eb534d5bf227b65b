// Tracker
// The request tracker of S1 (docs/why/requirements.md): creates, updates and finds requests, which are stored in files.
//
//   Owns:          the methods, the cache, the sweeps, switching the tracker off, reporting what each check of the files found.
//   Does not own:  the lifecycle (lifecycle, machines), the files (folder).
//
// TRACKER-1. The result of a call is durable when the call returns, and every process that uses the folder sees the result.
// TRACKER-2. Each call checks whether a cached file has changed, and then reads it again, so it sees what other processes wrote.
// TRACKER-3. A tracker that is switched off uses no files: it finds no request, and `createRequest` only returns the new request,
//     without storing it.

import { randomUUID } from "node:crypto";
import {
  checkNew,
  checkQuery,
  checkUpdates,
  type NewRequest,
  type RequestQuery,
  type RequestUpdates,
} from "./fields.ts";
import { type Kept, RequestFolder } from "./folder.ts";
import type { RequestState, RequestStateValue } from "./format.ts";
import { type Limits, opened, updated } from "./lifecycle.ts";
import { recover, type Recovery } from "./recovery.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { checkOptions, type Options } from "../../runtime/errors/given-options.ts";

/** A logger with the methods of pino. */
export interface TrackerLog {
  debug(facts: object, text: string): void;
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}

export interface TrackerOptions {
  /** The folder in which the folder `requests` is created. */
  readonly stateBaseDir: string;
  readonly log?: TrackerLog;
  /**
   * Called after a start or sweep that found something: requests that hung, were removed, were restored or got new times, and
   * unusable files.
   */
  readonly onRecovered?: (recovery: Recovery) => void;
  /** How long a running request may be silent; one hour by default. */
  readonly hungAfterMs?: number;
  /** How long a request is kept after its last update; a day by default. */
  readonly keepMs?: number;
  /** The pause between sweeps, which look for hanging and old requests, ms; five minutes by default, 0 for no sweeps. */
  readonly sweepMs?: number;
  readonly now?: () => number;
  /** The environment: `false` or `0` in SIGNALBOX_REQUEST_TRACKER or ENABLE_REQUEST_TRACKER switches the tracker off. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const OPTIONS = {
  stateBaseDir: "text!",
  log: "an object",
  onRecovered: "a function",
  hungAfterMs: "a number",
  keepMs: "a number",
  sweepMs: "a number",
  now: "a function",
  env: "an object",
} as const satisfies Record<keyof TrackerOptions, Options[string]>;

const HOUR_MS = 3_600_000;
const LIMIT = 100;
const CACHE_MAX = 10_000;
const NOTHING: Recovery = {
  recovered: 0,
  timedOut: [],
  redated: [],
  removed: [],
  restored: [],
  unreadable: [],
};

export class RequestTracker {
  /** False if the environment has switched the tracker off (TRACKER-3). */
  readonly enabled: boolean;
  /** The files as they were read or written last, by request id (TRACKER-2). */
  readonly cache = new Map<string, Kept>();
  readonly #folder: RequestFolder;
  readonly #options: TrackerOptions;
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #open = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;

  /** @throws RefusedError BAD_OPTION */
  constructor(options: TrackerOptions) {
    checkOptions("new RequestTracker", options, OPTIONS);
    const { stateBaseDir, hungAfterMs = HOUR_MS, keepMs = 24 * HOUR_MS, env = process.env } = options;
    this.#options = options;
    this.#now = options.now ?? (() => Date.now());
    this.#limits = { hungAfterMs, keepMs };
    this.#folder = new RequestFolder(stateBaseDir);
    const switches = [env["SIGNALBOX_REQUEST_TRACKER"], env["ENABLE_REQUEST_TRACKER"]];
    this.enabled = !switches.some((said = "") => OFF.has(said));
  }

  /** Creates the folder, recovers the stored requests, and begins to sweep regularly. @throws RefusedError, RetryableError */
  async start(): Promise<void> {
    if (!this.enabled) return;
    await this.#folder.make();
    await this.recoverState();
    const { sweepMs = 5 * 60_000 } = this.#options;
    clearInterval(this.#timer);
    if (sweepMs > 0) this.#timer = setInterval(() => void this.#sweep(), sweepMs).unref();
  }

  /** @throws RefusedError REQUEST_EXISTS, BAD_FIELD, …; RetryableError if the disk may accept the request later. */
  async createRequest(request: NewRequest): Promise<RequestState> {
    const { requestId = randomUUID(), ...given } = checkNew(request);
    const file = opened({ ...given, requestId }, this.#now(), this.#limits);
    if (!this.enabled) return shown(file);
    const kept = await this.#busy(this.#folder.create(file));
    this.#options.log?.info({ requestId, workspace: given.workspace }, "Request created");
    return shown(this.#keep(requestId, kept).file);
  }

  /**
   * @param updates the changes, or a function that makes them from the stored request and may be called more than once.
   * @returns the request afterwards; null if there is none.
   * @throws RefusedError MOVE_REFUSED, FIELD_FIXED, BAD_FIELD, …: nothing was changed; RetryableError, FatalError of the disk.
   */
  async updateState(
    requestId: string,
    updates: RequestUpdates | ((current: RequestState) => RequestUpdates),
  ): Promise<RequestState | null> {
    if (!this.enabled) return null;
    const known = typeof updates === "function" ? undefined : checkUpdates(updates);
    let from: RequestStateValue | undefined;
    const kept = await this.#busy(
      this.#folder.change(requestId, (file) => {
        from = file.request.state;
        const told = known ?? checkUpdates(typeof updates === "function" ? updates(shown(file)) : updates);
        return updated(file, told, this.#now(), this.#limits);
      }),
    );
    if (!kept) return null;
    this.#options.log?.debug({ requestId, from, to: kept.file.request.state }, "State transition");
    return shown(this.#keep(requestId, kept).file);
  }

  /**
   * @returns the request; null if there is none.
   * @throws RefusedError STATE_DAMAGED, STATE_FORMAT, … if its file cannot be used.
   */
  async getRequest(requestId: string): Promise<RequestState | null> {
    if (!this.enabled) return null;
    const kept = await this.#read(requestId);
    return kept ? shown(kept.file) : null;
  }

  /** The requests of a workspace, the newest first. A request whose file cannot be used is left out and logged. */
  listRequests(workspace: string, options: Omit<RequestQuery, "workspace"> = {}): Promise<RequestState[]> {
    return this.queryRequests({ ...options, workspace });
  }

  /** The requests whose workspace, state and time of creation match the query, the newest first. */
  async queryRequests(query: RequestQuery = {}): Promise<RequestState[]> {
    const { workspace, state, since = -Infinity, until = Infinity, limit = LIMIT } = checkQuery(query);
    if (!this.enabled) return [];
    const states = state === undefined || typeof state === "string" ? state && [state] : state;
    const names = await (workspace === undefined ? this.#folder.names() : this.#folder.namesOf(workspace));
    const found: RequestState[] = [];
    for (const name of names) {
      const request = (await this.#readable(name))?.file.request;
      if (!request || (workspace !== undefined && request.workspace !== workspace)) continue;
      if (states && !states.includes(request.state)) continue;
      if (request.createdAt >= since && request.createdAt < until) found.push(request);
    }
    return found
      .sort((a, b) => b.createdAt - a.createdAt || (a.requestId < b.requestId ? 1 : -1))
      .slice(0, limit)
      .map((request) => structuredClone(request));
  }

  /** Checks the folder: ends requests that hang, removes old ones, repairs the index. @returns the findings. */
  async recoverState(): Promise<Recovery> {
    if (!this.enabled) return NOTHING;
    const recovery = await this.#busy(
      recover(this.#folder, (name) => this.#read(name), this.#now, this.#limits),
    );
    const { recovered, timedOut, redated, removed, restored, unreadable } = recovery;
    const { log, onRecovered } = this.#options;
    for (const { requestId } of removed) this.cache.delete(requestId);
    for (const { requestId } of redated)
      log?.warn(
        { requestId },
        "The request's times are more than 35 days from the clock: it counts from now on",
      );
    for (const { requestId } of restored)
      log?.warn({ requestId }, "State file damaged: the one before is back");
    for (const { file, error } of unreadable)
      log?.warn(
        { file, code: error.code, what: error.message, next: error.next },
        "Failed to recover state file",
      );
    const counts = {
      ...{ timedOut: timedOut.length, redated: redated.length },
      ...{ removed: removed.length, restored: restored.length },
    };
    log?.info({ recovered, ...counts, unreadable: unreadable.length }, "State recovery complete");
    if (Object.values(counts).some((count) => count > 0) || unreadable.length > 0) onRecovered?.(recovery);
    return recovery;
  }

  /** Waits for running calls, and drops the cache. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled(this.#open);
    await this.#folder.close();
    this.cache.clear();
  }

  async #sweep(): Promise<void> {
    try {
      await this.recoverState();
    } catch (error) {
      const { code, next } = error as { readonly code?: string; readonly next?: string };
      this.#options.log?.warn({ code, next }, "Sweep failed; it is tried again");
    }
  }

  /** Reads a request's file, unless the cached content is still the newest (TRACKER-2). */
  async #read(requestId: string): Promise<Kept | undefined> {
    const cached = this.cache.get(requestId);
    if (cached && cached.mark === (await this.#folder.markOf(requestId))) return cached;
    const kept = await this.#folder.read(requestId);
    if (kept) return this.#keep(requestId, kept);
    this.cache.delete(requestId);
    return undefined;
  }

  async #readable(name: string): Promise<Kept | undefined> {
    try {
      return await this.#read(name);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.#options.log?.warn({ file: `${name}.json`, code: error.code }, "Left out of a list");
      return undefined;
    }
  }

  #keep(requestId: string, kept: Kept): Kept {
    this.cache.delete(requestId);
    this.cache.set(requestId, kept);
    for (const oldest of this.cache.keys()) {
      if (this.cache.size <= CACHE_MAX) break;
      this.cache.delete(oldest);
    }
    return kept;
  }

  #busy<T>(work: Promise<T>): Promise<T> {
    const over = work.then(
      () => undefined,
      () => undefined, // The caller of `work` gets the error.
    );
    this.#open.add(over);
    void over.then(() => this.#open.delete(over));
    return work;
  }
}

const OFF: ReadonlySet<string> = new Set(["false", "0"]);

/** The request as callers get it: a copy, which they may change. */
const shown = ({ request }: { readonly request: RequestState }): RequestState => structuredClone(request);

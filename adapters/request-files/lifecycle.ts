// Lifecycle
// Applies updates to a request by the machine for requests: takes the content of the stored file, and returns the next content.
//
//   Owns:          the updates that S1 (docs/why/requirements.md) names, as events of the machine; a file's fields as the
//                  machine's context, and back.
//   Does not own:  the lifecycle itself (machines/request.ts), checking fields (fields.ts), files.
//
// LIFECYCLE-1. Only the machine changes a request's state: an update for which the machine has no transition in the present
//     state is refused.
// LIFECYCLE-2. While a request is open, each field may be set again and again; after the request's end, only a field without a
//     value may be set, and `error` and `timeoutAt` not at all.
// LIFECYCLE-3. `lastUpdatedAt` never decreases, unless it is more than 35 days away from the clock: then the request's times are
//     moved to the clock's (dating.ts). The caller may give the times at which the request entered its states.
// LIFECYCLE-4. A request has hung if it got no update for `hungAfterMs`, by the clock of the program that checks it. A request
//     that waits for a user does not hang.

import { defined } from "../../machines/defined.ts";
import {
  type RequestContext,
  type RequestEvent,
  type RequestInput,
  requestMachine,
} from "../../machines/index.ts";
import {
  begin,
  move,
  persist,
  restore,
  type Snapshot,
  type StateValue,
} from "../../runtime/rows/actors/actors.ts";
import { regionOf } from "../../runtime/rows/views.ts";
import { datedAnew, standingOf } from "./dating.ts";
import type { NewRequest, RequestUpdates } from "./fields.ts";
import { fixed, noEnd, notReached, refused } from "./refusals.ts";
import type { RequestState, RequestStateValue, Standing, StateFile } from "./format.ts";

const MACHINE = { machine: "request", version: requestMachine.version ?? "" } as const;

export interface Limits {
  /** How long a request may be without an update before it counts as hung. */
  readonly hungAfterMs: number;
  /** How long a request is kept after its last update. */
  readonly keepMs: number;
}

/** The fields of a new request before the machine sets them. */
const FIRST = { state: "created", createdAt: 0, lastUpdatedAt: 0, timedOut: false } as const;

export function opened(
  given: NewRequest & { readonly requestId: string },
  now: number,
  limits: Limits,
): StateFile {
  const { requestId: id, chatId, prompt, model, timeoutAt, createdAt = now, workspace } = given;
  const facts = defined({ chatId, prompt, model, timeoutAt });
  const input = { id: id as RequestInput["id"], origin: "gateway", ...limits, ...facts, at: createdAt };
  const { snapshot } = begin("request", input);
  const request: RequestState = { ...FIRST, requestId: id, chatId, workspace };
  return fileOf(snapshot, { request, generation: 0 }, now, Math.min(now, createdAt));
}

/** @returns a request's next file. @throws RefusedError MOVE_REFUSED, FIELD_FIXED, … */
export function updated(found: StateFile, given: RequestUpdates, clock: number, limits: Limits): StateFile {
  const file = datedAnew(found, clock) ?? found;
  const now = Math.max(clock, file.request.lastUpdatedAt);
  const host = new Host(file, limits, now);
  host.tellFacts(given);
  if (given.waiting !== undefined) host.tellWaiting(given.waiting);
  if (given.state !== undefined) host.moveTo(given.state, given);
  host.tellTimes(given);
  if (given.callback !== undefined) host.tellCallback(given.callback);
  return host.file(now, Math.min(now, timeGiven(given) ?? now));
}

/** The next file of a request that was silent for too long, or whose own limit has passed; undefined for any other request. */
export function overdue(file: StateFile, now: number, limits: Limits): StateFile | undefined {
  const { timeoutAt = Infinity } = file.request;
  const { heardAt } = standingOf(file);
  // A request that is closed or not due, as most are, is left as it is, without running its machine.
  if (isClosed(file.request.state) || (now < timeoutAt && now - heardAt < limits.hungAfterMs))
    return undefined;
  const host = new Host(file, limits, now);
  host.tell({ type: "overdue", at: now, timer: now >= timeoutAt ? "timeout" : "hung", idleSince: heardAt });
  return host.state === "timeout" && file.request.state !== "timeout" ? host.file(now, heardAt) : undefined;
}

const isClosed = (state: RequestStateValue): boolean =>
  state === "completed" || state === "failed" || state === "timeout";

const timeGiven = ({
  state,
  queuedAt,
  processingStartedAt,
  completedAt,
}: RequestUpdates): number | undefined =>
  state === "queued" ? queuedAt : state === "processing" ? processingStartedAt : completedAt;

class Host {
  readonly #before: StateFile;
  readonly #now: number;
  #snapshot: Snapshot;

  constructor(file: StateFile, limits: Limits, now: number) {
    this.#before = file;
    this.#now = now;
    const standing = standingOf(file);
    const { requestId } = file.request;
    const stored = {
      ...MACHINE,
      value: valueOf(file.request, standing),
      context: contextOf(file, standing, limits),
    };
    this.#snapshot = restore("request", requestId, stored);
  }

  get state(): RequestStateValue {
    const leaf = regionOf(this.#snapshot.value, "lifecycle");
    return (leaf === "waiting" ? "processing" : leaf) as RequestStateValue;
  }

  file(now: number, heardAt: number): StateFile {
    return fileOf(this.#snapshot, this.#before, now, heardAt);
  }

  tell(event: RequestEvent): boolean {
    const { snapshot, legal } = move("request", this.#snapshot, event);
    if (legal) this.#snapshot = snapshot;
    return legal;
  }

  /** Sets facts (LIFECYCLE-2). The field `error` may be set only in the update that ends the request. */
  tellFacts({ state, model, tokens, exitCode, output, error, timeoutAt }: RequestUpdates): void {
    const facts = defined({ model, tokens, exitCode, output });
    const { request } = this.#before;
    if (isClosed(this.state)) {
      for (const [name, value] of Object.entries({ ...facts, ...defined({ error, timeoutAt }) }))
        if (
          request[name] !== value &&
          (request[name] !== undefined || name === "error" || name === "timeoutAt")
        )
          throw fixed(request, name);
    } else {
      if (error !== undefined && (state === undefined || !isClosed(state))) throw noEnd(request);
      this.#set({
        ...Object.fromEntries(Object.keys(facts).map((name) => [name, undefined])),
        ...defined({ error, timeoutAt }),
      });
    }
    if (Object.keys(facts).length > 0) this.tell({ type: "amended", at: this.#now, ...facts });
  }

  tellWaiting(waiting: boolean): void {
    this.tell({ type: waiting ? "blocked" : "unblocked", at: this.#afterBegin(this.#now) });
    const isWaiting = regionOf(this.#snapshot.value, "lifecycle") === "waiting";
    if (waiting && !isWaiting) throw refused(this.#before.request, "waiting");
  }

  /** Moves the machine to a state, or refuses (LIFECYCLE-1). */
  moveTo(state: RequestStateValue, given: RequestUpdates): void {
    const at = this.#afterBegin(timeGiven(given) ?? this.#now, state);
    if (this.state !== state && state !== "created") this.tell(eventFor(state, at, given));
    if (this.state !== state) throw refused(this.#before.request, state);
  }

  /** Sets times. A time is refused if the request has not reached the state that the time belongs to (LIFECYCLE-3). */
  tellTimes({ queuedAt, processingStartedAt, completedAt }: RequestUpdates): void {
    const { request } = this.#before;
    const context = this.#snapshot.context as RequestContext;
    const wanted = defined({ queuedAt, processingStartedAt, completedAt });
    for (const [name, time] of Object.entries(wanted)) {
      const found = context[name as keyof typeof wanted];
      if (name !== "queuedAt" && found === undefined) throw notReached(request, name);
      if (isClosed(request.state) && found !== time) throw fixed(request, name);
    }
    this.#set({ ...wanted, ...(completedAt !== undefined && { completedAt: context.completedAt }) });
  }

  /** Takes the caller's record of a callback's delivery. From this record, the machine decides the state of the delivery. */
  tellCallback(callback: NonNullable<RequestUpdates["callback"]>): void {
    const { request } = this.#before;
    const state = callback.success ? "delivered" : callback.error === undefined ? "delivering" : "failed";
    const isOver = regionOf(this.#snapshot.value, "callback") === "delivered";
    if (isOver && JSON.stringify(request.callback) !== JSON.stringify(defined(callback)))
      throw fixed(request, "callback");
    if (isOver) return;
    this.tell({ type: "callback", at: this.#now, state, sentAt: this.#now });
    const { retryTimestamps, ...rest } = callback;
    this.#set({
      callback: { ...defined(rest), retryTimestamps: retryTimestamps.map((at) => Date.parse(at)) },
    });
  }

  /** `at`, or the time when the request began to run, if later: no request ends before it began, whatever the clock says. */
  #afterBegin(at: number, state?: RequestStateValue): number {
    if (state === "queued" || state === "processing") return at;
    return Math.max(at, (this.#snapshot.context as RequestContext).runningSince ?? 0);
  }

  #set(facts: object): void {
    const context = defined({ ...this.#snapshot.context, ...facts });
    this.#snapshot = restore("request", this.#before.request.requestId, {
      ...persist(this.#snapshot),
      context,
    });
  }
}

function eventFor(
  state: Exclude<RequestStateValue, "created">,
  at: number,
  { error }: RequestUpdates,
): RequestEvent {
  if (state === "timeout") return { type: "overdue", at, timer: "timeout", idleSince: at };
  if (state === "failed") return { type: "failed", at, error: error ?? "unknown" };
  return { type: state, at, ...(state === "completed" && error !== undefined && { error }) };
}

function valueOf({ state, waiting }: RequestState, { callback }: Standing): StateValue {
  const lifecycle = state === "processing" ? { processing: waiting === true ? "waiting" : "running" } : state;
  return { lifecycle, callback };
}

function contextOf({ request }: StateFile, standing: Standing, limits: Limits): object {
  const { requestId, workspace: _w, state: _s, waiting: _, callback, ...facts } = request;
  const { runningForMs, runningSince, annotations } = standing;
  const delivery = callback && {
    ...callback,
    retryTimestamps: callback.retryTimestamps.map((at) => Date.parse(at)),
  };
  return defined({
    id: requestId,
    origin: "gateway",
    ...limits,
    ...facts,
    callback: delivery,
    runningForMs,
    runningSince,
    annotations,
  });
}

function fileOf(
  snapshot: Snapshot,
  { request, generation }: StateFile,
  now: number,
  heardAt: number,
): StateFile {
  const context = snapshot.context as RequestContext;
  const { id: _i, origin: _o, hungAfterMs: _h, keepMs: _k, callback, ...rest } = context;
  const { runningForMs, runningSince, annotations, ...facts } = rest;
  const leaf = regionOf(snapshot.value, "lifecycle");
  const { waiting: _, ...before } = request;
  const known = {
    ...before,
    ...facts,
    state: leaf === "waiting" ? "processing" : leaf,
    lastUpdatedAt: Math.max(now, request.lastUpdatedAt),
    ...(callback && { callback: { ...callback, retryTimestamps: callback.retryTimestamps.map(isoOf) } }),
    ...(leaf === "waiting" && { waiting: true }),
  } as RequestState;
  return {
    request: known,
    generation: generation + 1,
    standing: {
      callback: regionOf(snapshot.value, "callback") as Standing["callback"],
      heardAt,
      runningForMs,
      runningSince,
      annotations: annotations.map(({ at, what }) => ({ at, what })),
    },
  };
}

const isoOf = (at: number): string => new Date(at).toISOString();

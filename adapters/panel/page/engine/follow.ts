// Follow
// Follows the engine's stream of state changes for as long as the page is open.
//
//   Owns:          reconnecting from the last change that was received; giving changes to the views in batches.
//   Does not own:  what a view does with a change.
//
// Each view gets each change once, in order. If changes may be missing, because the engine cannot give them all or because a
// view has an answer from before the stream began, each view reads anew what it shows (`resync`).
//
// ENGINE-FOLLOW-1. An answer that is older than the place at which the present stream began causes a resync: changes between
//     the answer and the stream may be missing. Each event `ready` or `resync` of the stream sets that place anew. Answers
//     cause at most one resync a second, and none while no stream is open.

import type { Looker } from "../../../../runtime/presence/looking.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import { ApiError, ask, onAnswer } from "./api.ts";
import { Value } from "./value.ts";

export type Link = "connecting" | "live" | "lost" | "signed-out";

type Listener = (changes: readonly StateChange[]) => void;

/** Changes that arrive within 16 ms are passed on together; while more arrive, every 100 ms, so that the page can draw. */
const BATCH_MS = 16;
const APART_MS = 100;
const AGAIN_MS = 1_000;
const AGAIN_MAX_MS = 10_000;
/** With more missed changes than this, reading the lists anew is faster than reading the changes. */
const BEHIND_MAX = 10_000;

export class Follow {
  readonly link = new Value<Link>("connecting");
  /** Who looks at which approval now. */
  readonly looking = new Value<readonly Looker[]>([]);
  readonly #listeners = new Set<Listener>();
  readonly #resyncs = new Set<() => void>();
  #waiting: StateChange[] = [];
  #passedAt = -Infinity;
  #last: string | undefined;
  #againMs = AGAIN_MS;
  /** Where the stream began; undefined while no stream is open. */
  #began: Place | undefined;
  /**
   * Of the answers since the last stream ended, the least current one: the place up to which it has the changes. If the next
   * stream begins after this place, the views must read anew, because the changes between are missing.
   */
  #oldest: Place | undefined;
  #resyncedAt = -Infinity;
  #planned: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    onAnswer((change) => this.#answered(placeOf(change)));
  }

  /** @returns a function that ends the subscription. */
  onChanges(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back when a view must read anew what it shows. */
  onResync(listener: () => void): () => void {
    this.#resyncs.add(listener);
    return () => this.#resyncs.delete(listener);
  }

  /** Listens to changes and to resyncs. @returns a function that ends both subscriptions. */
  on(changes: Listener, resync: () => void): () => void {
    const ends = [this.onChanges(changes), this.onResync(resync)];
    return () => ends.forEach((end) => end());
  }

  open(): void {
    const after = this.#last === undefined ? "" : `&after=${encodeURIComponent(this.#last)}`;
    const source = new EventSource(`/v1/stream?looking=true&behindMax=${BEHIND_MAX}${after}`);
    source.addEventListener("ready", (event) => {
      const oldest = this.#oldest;
      this.#live(event);
      // A stream that begins anew reports anew who looks at which approval, so the earlier reports are dropped.
      this.looking.set([]);
      if (oldest && isOlder(oldest, placeOf(event.lastEventId))) this.#resync();
    });
    source.addEventListener("resync", (event) => {
      this.#live(event);
      this.#resync();
    });
    source.addEventListener("change", (event) => {
      this.#last = event.lastEventId;
      // The cast is safe: a change in the stream has the form that docs/reference/http.md describes.
      this.#take(JSON.parse(String(event.data)) as StateChange);
    });
    source.addEventListener("looking", ({ data }) =>
      this.looking.set(JSON.parse(String(data)) as readonly Looker[]),
    );
    source.onerror = () => {
      this.#began = undefined;
      if (this.link.get() === "live") this.link.set("lost");
      if (source.readyState === EventSource.CLOSED) void this.#again();
    };
  }

  #answered(place: Place): void {
    if (!this.#began) this.#oldest = this.#oldest && isOlder(this.#oldest, place) ? this.#oldest : place;
    // An answer from before the stream began causes a resync (ENGINE-FOLLOW-1). A timer starts it, so that the caller of the
    // query first gets the answer.
    else if (isOlder(place, this.#began))
      this.#planned ??= setTimeout(
        () => this.#resync(),
        Math.max(0, this.#resyncedAt + AGAIN_MS - performance.now()),
      );
  }

  #resync(): void {
    clearTimeout(this.#planned);
    this.#planned = undefined;
    this.#resyncedAt = performance.now();
    for (const listener of this.#resyncs) listener();
  }

  #live(event: MessageEvent): void {
    this.#last = event.lastEventId;
    this.#began = placeOf(event.lastEventId);
    this.#oldest = undefined;
    this.#againMs = AGAIN_MS;
    this.link.set("live");
  }

  #take(change: StateChange): void {
    if (this.#waiting.push(change) > 1) return;
    const sinceMs = performance.now() - this.#passedAt;
    setTimeout(() => this.#pass(), Math.max(BATCH_MS, APART_MS - sinceMs));
  }

  #pass(): void {
    const changes = this.#waiting;
    this.#waiting = [];
    this.#passedAt = performance.now();
    for (const listener of this.#listeners) listener(changes);
  }

  /** Opens the stream again, once the browser itself has given up: the engine refused the stream, or cannot be reached yet. */
  async #again(): Promise<void> {
    const delayMs = this.#againMs;
    this.#againMs = Math.min(AGAIN_MAX_MS, delayMs * 2);
    const isSignedOut = await ask("/v1/stats").then(
      () => false,
      (error: unknown) => error instanceof ApiError && error.status === 401,
    );
    this.link.set(isSignedOut ? "signed-out" : "lost");
    if (!isSignedOut) setTimeout(() => this.open(), delayMs);
  }
}

/** The parts of a change's id: which change log, and the number in it. Places in the logs of other engines may follow. */
interface Place {
  readonly log: string;
  readonly n: number;
}

function placeOf(id: string): Place {
  const at = id.lastIndexOf("-");
  return { log: id.slice(0, at), n: parseInt(id.slice(at + 1)) };
}

const isOlder = (one: Place, other: Place): boolean => one.log !== other.log || one.n < other.n;

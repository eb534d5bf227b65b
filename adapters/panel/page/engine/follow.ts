// Follow
// The stream of state changes, for as long as the page is open.
//
//   Owns:          reconnecting from the last change received; passing changes on in batches.
//   Does not own:  what a change means to a view.
//
// Each change is passed on once, in order. If the engine cannot give every change, `resync` is raised instead, and each
// view reads anew what it shows. The same happens if an answer is older than the beginning of the stream: the changes
// between the two are in neither. If nothing changed between them, nothing is read twice.

import type { Looker } from "../../../../runtime/presence/looking.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import { ApiError, ask, onAnswer } from "./api.ts";
import { Value } from "./value.ts";

export type Link = "connecting" | "live" | "lost" | "signed-out";

type Listener = (changes: readonly StateChange[]) => void;

/**
 * Changes that arrive within this time are passed on together. While more keep arriving, they are passed on less often,
 * so that the page can draw.
 */
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
  /** Where in the change log the stream began, and the oldest place that an earlier answer was current to. */
  #began: Place | undefined;
  #oldest: Place | undefined;

  constructor() {
    onAnswer((change) => this.#answered(placeOf(change)));
  }

  /** @returns a function that ends the subscription. */
  onChanges(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back when a view must read anew what it shows. @returns a function that ends the subscription. */
  onResync(listener: () => void): () => void {
    this.#resyncs.add(listener);
    return () => this.#resyncs.delete(listener);
  }

  open(): void {
    const after = this.#last === undefined ? "" : `&after=${encodeURIComponent(this.#last)}`;
    const source = new EventSource(`/v1/stream?looking=true&behindMax=${BEHIND_MAX}${after}`);
    source.addEventListener("ready", (event) => {
      this.#live(event);
      // The stream begins anew: it reports anew who looks at an approval.
      this.looking.set([]);
      if (this.#began) return;
      this.#began = placeOf(event.lastEventId);
      if (this.#oldest && isOlder(this.#oldest, this.#began)) this.#resync();
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
      if (this.link.get() === "live") this.link.set("lost");
      if (source.readyState === EventSource.CLOSED) void this.#again();
    };
  }

  #answered(place: Place): void {
    if (!this.#began) this.#oldest = this.#oldest && isOlder(this.#oldest, place) ? this.#oldest : place;
    // The resync is put off, so that the caller gets this answer first.
    else if (isOlder(place, this.#began)) setTimeout(() => this.#resync());
  }

  #resync(): void {
    for (const listener of this.#resyncs) listener();
  }

  #live(event: MessageEvent): void {
    this.#last = event.lastEventId;
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

  /** Opens the stream again after the browser gave up on it: the engine refused it, or cannot be reached yet. */
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

/** The parts of a change's id: which change log, and the number in it. Places in other engines' logs may follow. */
interface Place {
  readonly log: string;
  readonly n: number;
}

function placeOf(id: string): Place {
  const at = id.lastIndexOf("-");
  return { log: id.slice(0, at), n: parseInt(id.slice(at + 1)) };
}

const isOlder = (one: Place, other: Place): boolean => one.log !== other.log || one.n < other.n;

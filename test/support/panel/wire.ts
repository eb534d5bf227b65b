// Wire
// The panel's models without a browser: a fetch and an event stream that the test answers, and what else their modules need.
//
//   Owns:          the stand-ins, the requests that wait for an answer, the events of the stream.
//   Does not own:  which models are tried, what is asserted.

import { setImmediate } from "node:timers/promises";
import { vi } from "vitest";

export interface Asked {
  readonly url: string;
  /** @param place up to which change of the log the answer is current. */
  readonly answer: (body: object, place?: string, status?: number) => Promise<void>;
  /** No engine answers. */
  readonly fail: () => Promise<void>;
}

interface Event {
  readonly data: string;
  readonly lastEventId: string;
}

/** Lets everything happen that waits for no timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

/**
 * Loads a module of the page by a path that only the run knows: the types of a module that knows Preact would bring the browser's
 * into every other file.
 */
export async function load<T>(path: string): Promise<T> {
  return (await import(new URL(`../../../adapters/panel/page/${path}`, import.meta.url).href)) as T;
}

export class Wire {
  /** The requests that were not taken yet, oldest first. */
  readonly waiting: Asked[] = [];
  readonly #listeners = new Map<string, (event: Event) => void>();
  /** Called when the stream is lost; a page that opens the stream sets it. */
  #lost: () => void = () => undefined;
  #n = 10;

  /** Puts the stand-ins in place; `vi.unstubAllGlobals` removes them. */
  constructor() {
    const listeners = this.#listeners;
    const lost = (call: () => void) => (this.#lost = call);
    class Stream {
      static readonly CLOSED = 2;
      readonly readyState = 1;
      set onerror(call: () => void) {
        lost(call);
      }
      addEventListener(name: string, listener: (event: Event) => void): void {
        listeners.set(name, listener);
      }
    }
    vi.stubGlobal("EventSource", Stream);
    vi.stubGlobal("fetch", (url: string) => this.#ask(url));
    vi.stubGlobal("location", { hash: "", search: "" });
    vi.stubGlobal("history", { replaceState: () => undefined });
    vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
    vi.stubGlobal("addEventListener", () => undefined);
    vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw));
  }

  /** The oldest request whose address contains the text; waits until there is one. */
  async take(part: string): Promise<Asked> {
    return vi.waitFor(() => {
      const at = this.waiting.findIndex(({ url }) => url.includes(part));
      const [asked] = at < 0 ? [] : this.waiting.splice(at, 1);
      if (!asked)
        throw new Error(`${part} was not asked, but ${this.waiting.map(({ url }) => url).join(", ")}`);
      return asked;
    });
  }

  /** The stream sends an event. */
  say(name: "ready" | "resync" | "change", place: string, data: object = {}): void {
    this.#listeners.get(name)?.({ data: JSON.stringify(data), lastEventId: place });
  }

  /** The stream sends a change with this view of an approval. */
  change(view: { readonly id: string; readonly state: string }): void {
    this.#n += 1;
    const n = this.#n;
    const facts = { n, version: n, epoch: 1, turn: n, part: 1, parts: 1, at: n, from: null };
    const what = { entity: "approval", id: view.id, workspace: "w", sessionId: "s", to: view.state };
    this.say("change", `log-${n}`, { ...facts, ...what, view });
  }

  lose(): void {
    this.#lost();
  }

  #ask(url: string): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.waiting.push({
        url,
        answer: (body, place, status = 200) => {
          const headers = place === undefined ? {} : { "Signalbox-Change": place };
          resolve(new Response(JSON.stringify(body), { status, headers }));
          return settle();
        },
        fail: () => {
          reject(new TypeError("fetch failed"));
          return settle();
        },
      });
    });
  }
}

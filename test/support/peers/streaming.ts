// Streaming
// A peer of which only the change log is real: its stream behaves as docs/reference/http.md says.
//
//   Owns:          the log, who may see which change, connections that break, a peer that is away.
//   Does not own:  what a reader makes of it (the tests).

import { EventEmitter, on } from "node:events";
import { Readable } from "node:stream";
import type { EngineAnswer, EngineRequest, Exchange } from "../../../runtime/line/exchange.ts";
import { FOR_HEADER } from "../../../runtime/peers/on-behalf.ts";

export class StreamingPeer {
  readonly asked: EngineRequest[] = [];
  /** The workspaces of the changes, of which the first has the number 1. */
  changes: string[] = [];
  /** The number of the last change that was removed. */
  trimmed = 0;
  isAway = false;
  /** True if nobody may see anything here but the engine itself. */
  refuses = false;
  /** True while streams say nothing, except those of the engine itself. */
  isSlow = false;
  /** The only workspaces that the token of the engine that asks may see. */
  tokenSees: readonly string[] | undefined;
  /** Changes that are gone until its journal is applied again. */
  #undone: string[] = [];
  #logs = 1;
  readonly #bell = new EventEmitter().setMaxListeners(0);

  get log(): string {
    return `log-${this.#logs}`;
  }

  /** One more change. Those that were rolled back come first, and are the same: no log gives a number to two changes. */
  change(workspace: string): void {
    this.changes.push(...this.#undone.splice(0), workspace);
    this.#bell.emit("news");
  }

  /** Its log begins anew. */
  anew(): void {
    this.#logs += 1;
    this.changes = [];
    this.#undone = [];
    this.trimmed = 0;
    this.cut();
  }

  /** Its last change is gone, as after a copy was put back. The journal, applied again, makes it again (META-3). */
  rollBack(): void {
    this.#undone.unshift(...this.changes.splice(-1));
    this.trimmed = Math.min(this.trimmed, this.changes.length);
    this.cut();
  }

  quick(): void {
    this.isSlow = false;
    this.#bell.emit("news");
  }

  /** Every connection breaks. */
  cut(): void {
    this.#bell.emit("cut");
  }

  sees(request: Pick<EngineRequest, "headers">): (workspace: string) => boolean {
    const named = new URLSearchParams(request.headers?.[FOR_HEADER]).getAll("workspace");
    return (workspace) =>
      (named.length === 0 || named.includes(workspace)) &&
      (this.tokenSees === undefined || this.tokenSees.includes(workspace));
  }

  readonly exchange: Exchange = (request) => {
    this.asked.push(request);
    if (this.isAway) return Promise.reject(new Error("It is away."));
    if (this.refuses && !isOfEngine(request)) return answering(403, { error: { code: "NOT_ALLOWED" } });
    if (request.isStream !== true) return answering(200, { items: [] });
    return Promise.resolve({ status: 200, body: this.#body(request) });
  };

  async *#body(request: EngineRequest): AsyncGenerator<Uint8Array> {
    const over = new AbortController();
    const end = (): void => over.abort();
    request.signal?.addEventListener("abort", end, { once: true });
    this.#bell.once("cut", end);
    try {
      yield* this.#told(request, over.signal);
    } finally {
      this.#bell.off("cut", end);
    }
  }

  async *#told(request: EngineRequest, over: AbortSignal): AsyncGenerator<Uint8Array> {
    const after = request.headers?.["Last-Event-ID"];
    const { log } = this;
    const sees = this.sees(request);
    const frame = (event: string, n: number, data: object): Uint8Array =>
      Buffer.from(`id: ${log}-${n}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    const [, name, digits] = /^(.*)-(\d+)$/.exec(after ?? `${log}-${this.changes.length}`) ?? [];
    const isKnown = name === log && Number(digits) <= this.changes.length;
    let at = isKnown ? Number(digits) : this.changes.length;
    let said = at;
    const news = on(this.#bell, "news", { signal: over });
    while (this.isSlow && !isOfEngine(request)) await news.next();
    yield frame(isKnown ? "ready" : "resync", at, {});
    for (;;) {
      if (at < this.trimmed) {
        at = said = this.changes.length;
        yield frame("resync", at, {});
      }
      while (at < this.changes.length) {
        over.throwIfAborted();
        at += 1;
        const workspace = this.changes[at - 1] ?? "";
        if (!sees(workspace)) continue;
        said = at;
        yield frame("change", at, { workspace, n: at, view: { n: at } });
      }
      if (said !== at) yield frame("ready", (said = at), {});
      else await news.next();
    }
  }
}

const isOfEngine = ({ headers }: EngineRequest): boolean =>
  new URLSearchParams(headers?.[FOR_HEADER]).get("name") === "engine";

const answering = (status: number, body: object): Promise<EngineAnswer> =>
  Promise.resolve({ status, body: Readable.from([Buffer.from(JSON.stringify(body))]) });

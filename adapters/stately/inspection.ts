// Inspection
// Those who look, from the WebSocket's upgrade to its end.
//
//   Owns:          the WebSocket's settings, how many may look, listening to the engine while somebody does.
//   Does not own:  who may look (http), what they are told (watcher.ts).
//
// Z4. While nobody looks, nothing is done: the engine is not even listened to.
// Z5. A watcher says nothing: whoever sends a message is let go, and none of more than 1 MiB is read.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { Bell } from "../../runtime/bell.ts";
import { type Watched, Watcher } from "./watcher.ts";

const WATCHERS_MAX = 8;
const BYTES_MAX = 1024 * 1024;
const PING_MS = 30_000;
const TRY_LATER = 1013;
const NOT_ALLOWED = 1008;

export class Inspection {
  readonly #watched: Watched;
  readonly #onError: (error: unknown) => void;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: BYTES_MAX,
    perMessageDeflate: false,
  });
  readonly #bell = new Bell();
  readonly #stopping = new AbortController();
  readonly #runs = new Set<Promise<void>>();
  #unsubscribe: (() => void) | undefined;

  /** @param onError told of what ends a watcher and is not its fault. */
  constructor(watched: Watched, onError: (error: unknown) => void) {
    this.#watched = watched;
    this.#onError = onError;
  }

  /** Takes over the connection of a request to upgrade that was let in. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#sockets.handleUpgrade(request, socket, head, (accepted) => this.#welcome(accepted));
  }

  /** Ends every connection at once. @returns once nobody reads from the engine any more. */
  async close(): Promise<void> {
    this.#stopping.abort();
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
    await Promise.all(this.#runs);
  }

  #welcome(socket: WebSocket): void {
    // The connection closes by itself after an error; that is all there is to do.
    socket.on("error", () => undefined);
    if (this.#sockets.clients.size > WATCHERS_MAX) {
      socket.close(TRY_LATER, `${WATCHERS_MAX} others are looking.`);
      return;
    }
    this.#unsubscribe ??= this.#watched.engine.onChanges(() => this.#bell.ring());
    const gone = new AbortController();
    const cancelPing = this.#pings(socket);
    socket.once("message", () => socket.close(NOT_ALLOWED, "Nothing is taken here."));
    socket.once("close", () => {
      cancelPing();
      gone.abort();
      if (this.#sockets.clients.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    });
    const signal = AbortSignal.any([gone.signal, this.#stopping.signal]);
    const run = new Watcher(this.#watched, socket).run(this.#bell, signal).catch((error: unknown) => {
      this.#onError(error);
      socket.terminate();
    });
    this.#runs.add(run);
    void run.finally(() => this.#runs.delete(run));
  }

  /** Lets one go who has not answered the last ping. @returns a function that ends it. */
  #pings(socket: WebSocket): () => void {
    let isAlive = true;
    let cancel = (): void => undefined;
    socket.on("pong", () => (isAlive = true));
    const beat = (): void => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      socket.ping();
      cancel = this.#watched.clock.after(PING_MS, beat);
    };
    cancel = this.#watched.clock.after(PING_MS, beat);
    return () => cancel();
  }
}

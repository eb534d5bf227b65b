// Inspection
// Connects each observer, from the upgrade of its WebSocket to the end of the connection.
//
//   Owns:          the WebSocket's settings, how many may observe, disconnecting an observer, listening to the engine.
//   Does not own:  who may observe (http), the messages (watcher.ts).
//   Decided in:    docs/decisions/0039-lookers-on-are-listeners.md.
//
// INSPECTION-1. While nobody observes, this class does not listen to the engine.
// INSPECTION-2. Observers may send nothing: an observer that sends a message is disconnected, and no message over 1 MiB is read.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { Bell } from "../../runtime/bell.ts";
import { type Watched, Watcher } from "./watcher.ts";

const WATCHERS_MAX = 64;
const EACH_MAX = 8;
const BYTES_MAX = 1024 * 1024;
const PING_MS = 30_000;
const TRY_LATER = 1013;
const NOT_ALLOWED = 1008;

interface Looker {
  readonly name: string;
  /** A signal that is aborted when the observer's access ends. */
  readonly gone: AbortSignal;
}

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
  readonly #lookers = new Map<WebSocket, Looker>();
  #unsubscribe: (() => void) | undefined;

  /** @param onError called with each error that ends an observer's connection and that the observer did not cause. */
  constructor(watched: Watched, onError: (error: unknown) => void) {
    this.#watched = watched;
    this.#onError = onError;
  }

  accept(request: IncomingMessage, socket: Duplex, head: Buffer, looker: Looker): void {
    this.#sockets.handleUpgrade(request, socket, head, (accepted) => this.#welcome(accepted, looker));
  }

  /** Ends all connections without waiting. @returns once nobody reads from the engine any more. */
  async close(): Promise<void> {
    this.#stopping.abort();
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
    await Promise.all(this.#runs);
  }

  #welcome(socket: WebSocket, looker: Looker): void {
    // A connection closes itself after an error, so this listener does nothing.
    socket.on("error", () => undefined);
    const own = [...this.#lookers.values()].filter(({ name }) => name === looker.name).length;
    if (this.#lookers.size >= WATCHERS_MAX || own >= EACH_MAX)
      return socket.close(
        TRY_LATER,
        `Too many connections are open: ${EACH_MAX} of this user, or ${WATCHERS_MAX} of all users.`,
      );
    this.#lookers.set(socket, looker);
    const leave = (): void => socket.close(NOT_ALLOWED, "Your token was removed.");
    looker.gone.addEventListener("abort", leave, { once: true });
    this.#unsubscribe ??= this.#watched.engine.onChanges(() => this.#bell.ring());
    const gone = new AbortController();
    const cancelPing = this.#pings(socket);
    socket.once("message", () => socket.close(NOT_ALLOWED, "This connection accepts no messages."));
    socket.once("close", () => {
      looker.gone.removeEventListener("abort", leave);
      this.#lookers.delete(socket);
      cancelPing();
      gone.abort();
      if (this.#lookers.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    });
    const signal = AbortSignal.any([gone.signal, this.#stopping.signal, looker.gone]);
    const run = new Watcher(this.#watched, socket).run(this.#bell, signal).catch((error: unknown) => {
      this.#onError(error);
      socket.terminate();
    });
    this.#runs.add(run);
    void run.finally(() => this.#runs.delete(run));
  }

  /** Sends pings, and disconnects an observer that has not answered the last one. @returns a function that stops the pings. */
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

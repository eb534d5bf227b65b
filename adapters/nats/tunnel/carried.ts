// Carried
// One end of a connection whose bytes are carried by NATS messages.
//
//   Owns:          sending bytes and acknowledging bytes that came, the end of the connection.
//   Does not own:  opening connections and telling them apart (tunnels), the content of the bytes.
//   Decided in:    docs/decisions/0103-a-machine-joins-by-calling-out.md.
//
// TUNNEL-CARRIED-1. Each message is sent only after the one before was acknowledged, so bytes arrive once and in order. A message
//     that is not acknowledged in time ends the connection.
// TUNNEL-CARRIED-2. This end acknowledges a message once the reader of the connection wants more bytes. If the other end sends
//     a further message before that, the connection ends.
// TUNNEL-CARRIED-3. If a message cannot be sent, the connection ends, with the reason.

import { Duplex } from "node:stream";

/** The longest message of a tunnel, in bytes: less than the smallest limit that NATS servers usually have, 1 MB. */
const MESSAGE_BYTES_MAX = 128 * 1024;
const NOTHING = new Uint8Array();

export interface Wire {
  /** Sends a message to the other end. Without bytes it says that no more bytes come. @throws Error if it cannot be sent. */
  send(bytes: Uint8Array): void;
  acknowledge(): void;
  ended(): void;
  after(ms: number, callback: () => void): () => void;
}

const ACKNOWLEDGED_WITHIN_MS = 10_000;

export class Carried extends Duplex {
  readonly #wire: Wire;
  /** Continues the writing, once the other end has acknowledged the last message; undefined if it has acknowledged all. */
  #taken: (() => void) | undefined;
  #cancel: (() => void) | undefined;
  /** True while this end has not acknowledged the other end's last message. */
  #owed = false;

  constructor(wire: Wire) {
    super({ allowHalfOpen: false, highWaterMark: MESSAGE_BYTES_MAX });
    this.#wire = wire;
  }

  /** Takes a message from the other end. A message without bytes ends the connection. */
  arrive(bytes: Uint8Array): void {
    if (bytes.length === 0) this.push(null);
    else if (this.#owed) this.destroy(new Error("not awaited"));
    else {
      this.#owed = true;
      if (this.push(bytes)) this.#acknowledge();
    }
  }

  acknowledged(): void {
    const taken = this.#taken;
    this.#cancel?.();
    this.#taken = undefined;
    taken?.();
  }

  override _read(): void {
    this.#acknowledge();
  }

  override _write(chunk: Buffer, encoding: string, done: (error?: Error) => void): void {
    // Node's HTTP also writes empty chunks, which are not sent: a message without bytes would say that no more bytes come.
    if (chunk.length === 0) return done();
    this.#cancel = this.#wire.after(ACKNOWLEDGED_WITHIN_MS, () => this.destroy(new Error("unanswered")));
    this.#taken = () => {
      const rest = chunk.subarray(MESSAGE_BYTES_MAX);
      if (rest.length > 0) this._write(rest, encoding, done);
      else done();
    };
    try {
      this.#wire.send(chunk.subarray(0, MESSAGE_BYTES_MAX));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }

  override _final(done: () => void): void {
    this.#wire.send(NOTHING);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.writableFinished) this.#wire.send(NOTHING);
    this.#cancel?.();
    this.#taken = undefined;
    this.#wire.ended();
    done(error);
  }

  #acknowledge(): void {
    if (!this.#owed) return;
    this.#owed = false;
    this.#wire.acknowledge();
  }
}

// Carried
// One end of a connection whose bytes NATS messages carry.
//
//   Owns:          sending bytes and acknowledging those that came, the end of the connection.
//   Does not own:  opening connections and telling them apart (tunnels), what is said over them.
//   Decided in:    docs/decisions/0103-a-machine-joins-by-calling-out.md.
//
// TUNNEL-CARRIED-1. Each message waits for the acknowledgement of the one before, so bytes come once and in order. A message
//     that is not acknowledged in time ends the connection.
// TUNNEL-CARRIED-2. A message is acknowledged once its reader wants more, so neither end stores more than one message.

import { Duplex } from "node:stream";

/** Less than the smallest limit in use for a message, 1 MB. */
const MESSAGE_BYTES_MAX = 128 * 1024;
const NOTHING = new Uint8Array();

export interface Wire {
  /** Sends a message to the other end. A message without bytes says that no more bytes come. */
  send(bytes: Uint8Array): void;
  /** Tells the other end that its last message was taken. */
  acknowledge(): void;
  /** Called once, when this end is gone. */
  ended(): void;
  /** Calls back once, unless cancelled. */
  after(ms: number, callback: () => void): () => void;
}

const ACKNOWLEDGED_WITHIN_MS = 10_000;

export class Carried extends Duplex {
  readonly #wire: Wire;
  #taken: (() => void) | undefined;
  #cancel: (() => void) | undefined;
  #owed = false;

  constructor(wire: Wire) {
    super({ allowHalfOpen: false, highWaterMark: MESSAGE_BYTES_MAX });
    this.#wire = wire;
  }

  /** Takes a message from the other end. A message without bytes ends the connection. */
  arrive(bytes: Uint8Array): void {
    if (bytes.length === 0) this.push(null);
    else {
      this.#owed = true;
      if (this.push(bytes)) this.#acknowledge();
    }
  }

  /** The other end has taken the last message. */
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
    // Node's HTTP writes empty chunks, too. A message without bytes would say that no more bytes come.
    if (chunk.length === 0) return done();
    this.#cancel = this.#wire.after(ACKNOWLEDGED_WITHIN_MS, () => this.destroy(new Error("unanswered")));
    this.#taken = () => {
      const rest = chunk.subarray(MESSAGE_BYTES_MAX);
      if (rest.length > 0) this._write(rest, encoding, done);
      else done();
    };
    this.#wire.send(chunk.subarray(0, MESSAGE_BYTES_MAX));
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

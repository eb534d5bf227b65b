// Intake
// Takes messages into the journal, and tells their senders what became of them.
//
//   Owns:          how many messages may wait at the same time; waiting until the journal has a message, and for its result.
//   Does not own:  which messages may come in (door), answering the senders (waiting).
//
// G1.   A message counts as accepted as soon as the journal has it.
// I-37. At most 4,096 messages, 16 MiB in all, wait to become durable in the journal and in the store.

import type { Reply } from "../turn/turn-result.ts";
import { FatalError, overloaded, RetryableError } from "../errors/errors.ts";
import { type Message, writeMessage } from "../message.ts";
import type { Appending, Journal } from "../ports.ts";
import type { Pressure } from "./pressure.ts";
import type { Waiting } from "./waiting.ts";

/** An accepted message: its position, and its result once that is durable. */
export interface Receipt {
  readonly position: number;
  readonly settled: Promise<Reply>;
}

const WAITING_MAX = 4_096;
const WAITING_MAX_BYTES = 16 * 1024 * 1024;

export class Intake {
  readonly #journal: Pick<Journal, "append">;
  readonly #waiting: Waiting;
  readonly #pressure: Pick<Pressure, "makeRoom" | "appended">;
  readonly #fail: (error: FatalError) => void;
  #count = 0;
  #bytes = 0;
  #closed = false;

  /** @param fail called when nothing more can be written into the journal. */
  constructor(
    journal: Pick<Journal, "append">,
    waiting: Waiting,
    pressure: Pick<Pressure, "makeRoom" | "appended">,
    fail: (error: FatalError) => void,
  ) {
    this.#journal = journal;
    this.#waiting = waiting;
    this.#pressure = pressure;
    this.#fail = fail;
  }

  /** How many messages were taken in whose turn is not durable yet. */
  get waiting(): number {
    return this.#count;
  }

  hasRoom(count: number, bytes: number): boolean {
    return this.#count + count <= WAITING_MAX && this.#bytes + bytes <= WAITING_MAX_BYTES;
  }

  close(): void {
    this.#closed = true;
  }

  /**
   * Appends a message to the journal, as `Engine.submit` describes.
   * @throws RetryableError OVERLOADED, or STOPPING after `close`; whatever the journal throws.
   */
  async take(message: Message): Promise<Receipt> {
    const { key } = message;
    const before = key === undefined ? undefined : this.#waiting.attach(key);
    if (before)
      return before.then((reply) => ({ position: reply.position, settled: Promise.resolve(reply) }));
    const body = writeMessage(message);
    const bytes = Buffer.byteLength(body);
    this.#admit(bytes, message.door);
    const makeRoom = (): Promise<boolean> => this.#pressure.makeRoom();
    const appended = this.#append(body, { own: message.door === "own", makeRoom });
    const settled = appended.then((position) => this.#waiting.answer(position));
    if (key !== undefined) this.#waiting.expect(key, settled);
    const letGo = (): void => {
      this.#count -= 1;
      this.#bytes -= bytes;
    };
    settled.then(letGo, letGo);
    return { position: await appended, settled };
  }

  /**
   * Refuses a message from outside if too many messages, or too many bytes, are waiting. An own message is not refused for this
   * reason, because a deadline must not be lost. After `close`, every message is refused.
   */
  #admit(bytes: number, door: Message["door"]): void {
    if (this.#closed)
      throw new RetryableError("STOPPING", "The engine is stopping.", "Send again shortly.", 1000);
    if (door === "in" && !this.hasRoom(1, bytes)) throw overloaded(this.#count);
    this.#count += 1;
    this.#bytes += bytes;
  }

  async #append(body: string, how: Appending): Promise<number> {
    try {
      const [position] = await this.#journal.append([body], how);
      this.#pressure.appended();
      if (position === undefined)
        throw new RetryableError(
          "NOT_APPENDED",
          "The journal did not store the message.",
          "Send again.",
          1000,
        );
      return position;
    } catch (error) {
      this.#pressure.appended(error);
      if (error instanceof FatalError) this.#fail(error);
      throw error;
    }
  }
}

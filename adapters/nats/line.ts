// Line
// Sends messages to the stream: in order, many at the same time, and again after a failure.
//
//   Owns:          messages that are sent but not acknowledged, resending them under the same id, how long to wait for a server.
//   Does not own:  the form of a message (wire.ts).
//   Decided in:    docs/decisions/0019-a-nats-server-that-stands-still.md.
//
// LINE-1. Messages enter the stream in the order in which the caller sent them, except on a line without order while the stream
//     is full (LINE-3). After a failure, all unacknowledged messages are sent again in that order, under the same ids; the
//     server stores none of them twice.
// LINE-2. A message fails if the stream does not acknowledge it within the time that the line waits. The stream may have stored
//     it nevertheless.
// LINE-3. If the stream is full, the caller's function makes room, and the line sends the message again until the wait is over.
//     A line that must keep order (`isOrdered`) fails the message instead if it has already sent a later one, which may have
//     found room. While the stream is full, the line sends one message at a time.
// LINE-4. If the server has been silent for long, new messages wait in this class, unsent, until the server answers again or
//     their time is over.

import { NatsError } from "nats";
import { v7 } from "uuid";
import type { WireMessage } from "./wire-message.ts";
import { journalFull, RetryableError } from "../../runtime/errors/errors.ts";
import type { Clock } from "../../runtime/ports.ts";
import { ACK_MS, type Acks } from "./acks.ts";
import { answered, asPortError, tooLarge } from "./client-errors.ts";
import { STREAMS } from "./streams.ts";

const WINDOW = 256;
const WINDOW_BYTES = 8 * 1024 * 1024;
const AGAIN_MS = 100;

interface Item {
  readonly n: number;
  readonly wire: WireMessage;
  readonly id: string;
  readonly untilMs: number;
  readonly makeRoom: (() => Promise<boolean>) | undefined;
  /** Why the stream last refused the message; absent if it never did. */
  refusal?: Error;
  readonly resolve: (position: number) => void;
  readonly reject: (error: Error) => void;
}

interface LineOptions {
  readonly isOrdered: boolean;
  readonly isLongSilent: () => boolean;
}

export class Line {
  readonly #acks: Acks;
  readonly #clock: Clock;
  readonly #isOrdered: boolean;
  readonly #isLongSilent: () => boolean;
  #handedIn = 0;
  #isNarrow = false;
  #waiting: Item[] = [];
  readonly #inFlight = new Set<Item>();
  #inFlightBytes = 0;
  /**
   * The number of the present round. After each failure, all messages without an acknowledgement are sent again in a new round;
   * answers to what was sent in earlier rounds are ignored.
   */
  #round = 0;
  #held = false;
  #isDown = false;
  #cancel: (() => void) | undefined;

  constructor(acks: Acks, clock: Clock, { isOrdered, isLongSilent }: LineOptions) {
    this.#acks = acks;
    this.#clock = clock;
    this.#isOrdered = isOrdered;
    this.#isLongSilent = isLongSilent;
  }

  /** @returns the message's position. @throws RetryableError JOURNAL_UNAVAILABLE, JOURNAL_FULL; RefusedError. */
  send(wire: WireMessage, makeRoom?: () => Promise<boolean>): Promise<number> {
    return new Promise((resolve, reject) => {
      const untilMs = this.#clock.monotonic() + ACK_MS;
      this.#handedIn += 1;
      this.#waiting.push({ n: this.#handedIn, wire, id: v7(), untilMs, makeRoom, resolve, reject });
      this.#watch();
      this.#fill();
    });
  }

  /** Called when the connection is lost: nothing is sent until it is back. */
  hold(): void {
    this.#isDown = true;
    this.#goBack();
  }

  /** Called when the connection is back: sends all unacknowledged messages again, because they may be lost. */
  resume(): void {
    this.#isDown = false;
    this.#goBack();
    this.#fill();
  }

  close(error: Error): void {
    this.hold();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #fill(): void {
    while (
      !this.#held &&
      !this.#isDown &&
      !this.#isLongSilent() &&
      this.#inFlight.size < (this.#isNarrow ? 1 : WINDOW) &&
      this.#inFlightBytes < WINDOW_BYTES
    ) {
      const item = this.#waiting.shift();
      if (!item) return;
      this.#inFlight.add(item);
      this.#inFlightBytes += item.wire.payload.length;
      const round = this.#round;
      this.#publish(item).then(
        (position) => {
          if (!this.#isAwaited(item, round)) return;
          this.#isNarrow = false;
          this.#landed(item);
          item.resolve(position);
        },
        (error: unknown) => {
          if (this.#isAwaited(item, round)) this.#failed(item, error);
        },
      );
    }
  }

  #isAwaited(item: Item, round: number): boolean {
    return round === this.#round && this.#inFlight.has(item);
  }

  #publish({ wire: { subject, payload: body, headers }, id }: Item): Promise<number> {
    return this.#acks.publish({ stream: STREAMS.journal, subject, body, id, headers });
  }

  #landed(item: Item): void {
    this.#takeOut(item);
    this.#fill();
  }

  #takeOut(item: Item): void {
    if (this.#inFlight.delete(item)) this.#inFlightBytes -= item.wire.payload.length;
  }

  #failed(item: Item, error: unknown): void {
    const known = refusalOf(error);
    if (known instanceof RetryableError && known.code === "JOURNAL_FULL" && this.#mayWait(item))
      return void this.#waitForRoom(item, known);
    if (known) {
      this.#landed(item);
      item.reject(known);
      return;
    }
    this.#goBack();
    this.#held = true;
    this.#goOn(AGAIN_MS);
  }

  /** LINE-3. Whether a message may wait for room: not if order counts and a later message has been sent already. */
  #mayWait(item: Item): boolean {
    return !this.#isOrdered || [...this.#inFlight].at(-1) === item;
  }

  async #waitForRoom(item: Item, refusal: Error): Promise<void> {
    item.refusal = refusal;
    this.#isNarrow = true;
    this.#takeOut(item);
    this.#waiting = [item, ...this.#waiting].sort((one, other) => one.n - other.n);
    if (this.#held) return;
    this.#held = true;
    const hasMade = (await item.makeRoom?.().catch(() => false)) === true;
    this.#goOn(hasMade ? 0 : AGAIN_MS);
  }

  #goOn(delayMs: number): void {
    this.#clock.after(delayMs, () => {
      this.#held = false;
      this.#fill();
    });
  }

  /** LINE-1. Takes back all messages without an acknowledgement, so that they are sent again, before all others. */
  #goBack(): void {
    this.#round += 1;
    this.#waiting = [...this.#inFlight, ...this.#waiting];
    this.#inFlight.clear();
    this.#inFlightBytes = 0;
  }

  /** LINE-2. While any message waits, fails each message whose deadline passes before the stream has stored it. */
  #watch(): void {
    this.#cancel ??= this.#clock.after(AGAIN_MS, () => {
      this.#cancel = undefined;
      const now = this.#clock.monotonic();
      const isLate = ({ untilMs }: Item): boolean => untilMs <= now;
      const late = [...this.#inFlight, ...this.#waiting].filter(isLate);
      this.#waiting = this.#waiting.filter((item) => !isLate(item));
      for (const item of late) {
        this.#takeOut(item);
        item.reject(item.refusal ?? unavailable());
      }
      this.#fill();
      if (this.#waiting.length + this.#inFlight.size > 0) this.#watch();
    });
  }
}

/** The error for a stream's answer that would be the same next time; undefined if the answer may change. */
function refusalOf(error: unknown): Error | undefined {
  if (!(error instanceof NatsError)) return asPortError(error);
  switch (answered(error)) {
    case undefined:
      return undefined;
    case "too-large":
      return tooLarge(error);
    case "full":
      return journalFull(error.message);
    case "forbidden":
    case "wrong-stream":
    case "refused":
      return asPortError(error);
  }
}

const unavailable = (): RetryableError =>
  new RetryableError(
    "JOURNAL_UNAVAILABLE",
    "The NATS server did not store the message in time.",
    "Send the message again with the same id or Idempotency-Key: it may have been stored all the same.",
    1000,
  );

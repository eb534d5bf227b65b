// Pulse
// Whether JetStream answers: a server may stall, or take messages and store none, while its connection stays up.
//
//   Owns:          asking for the stream of inputs each second; the report while nothing answers.
//   Does not own:  answering those who wait for the stream (line.ts), reconnecting (the client does).
//
// PULSE-1. A stream that does not answer is reported within seconds, as essential, until it answers. Any answer counts:
//     its content is the concern of whoever reads or writes.
// PULSE-2. A server that was silent for long is sent only one message, which asks whether it answers: everything sent
//     stays in memory until the server takes it.

import { type JetStreamManager, NatsError } from "nats";
import { RetryableError } from "../../runtime/errors/errors.ts";
import type { Clock } from "../../runtime/ports.ts";
import type { Trouble } from "../../runtime/errors/trouble.ts";
import { STREAMS } from "./streams.ts";

const PAUSE_MS = 1_000;
/** Longer than a busy server takes, shorter than anybody waits for it. */
export const ANSWER_MS = 2_000;
/** After this long nobody waits for earlier messages. */
const LONG_MS = 10_000;

export class Pulse {
  readonly #manager: JetStreamManager;
  readonly #clock: Clock;
  /** Since when nothing answered, ms. */
  #silentSince: number | undefined;
  /** The same in monotonic time. */
  #silentFrom = 0;
  #isDown = false;
  #isAsking = false;
  #cancel: (() => void) | undefined;
  #stopped = false;

  /** @param manager waits `ANSWER_MS` for an answer. */
  constructor(manager: JetStreamManager, clock: Clock) {
    this.#manager = manager;
    this.#clock = clock;
    this.#askSoon();
  }

  /** The connection was lost: nothing is asked until it is back, or all requests would go out at once then. */
  hold(): void {
    this.#isDown = true;
    this.#fallSilent(this.#clock.now(), this.#clock.monotonic());
  }

  resume(): void {
    this.#isDown = false;
    void this.#ask();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  troubles(): readonly Trouble[] {
    const since = this.#silentSince;
    if (since === undefined) return [];
    return [this.#isDown ? away(since) : silent(since)];
  }

  /** PULSE-2 */
  get isLongSilent(): boolean {
    return this.#silentSince !== undefined && this.#clock.monotonic() - this.#silentFrom >= LONG_MS;
  }

  /** Saves callers a wait in vain. @throws RetryableError while nothing answers. */
  check(): void {
    for (const { code, message, next } of this.troubles())
      throw new RetryableError(code, message, next, PAUSE_MS);
  }

  #askSoon(): void {
    this.#cancel?.();
    if (this.#stopped) return;
    this.#cancel = this.#clock.after(PAUSE_MS, () => void this.#ask());
  }

  async #ask(): Promise<void> {
    if (this.#stopped || this.#isDown || this.#isAsking) return;
    this.#isAsking = true;
    const [askedAt, askedFrom] = [this.#clock.now(), this.#clock.monotonic()];
    try {
      await this.#manager.streams.info(STREAMS.journal);
      this.#heard();
    } catch (error) {
      if (isAnswer(error)) this.#heard();
      else this.#fallSilent(askedAt, askedFrom);
    }
    this.#isAsking = false;
    this.#askSoon();
  }

  #fallSilent(since: number, from: number): void {
    if (this.#silentSince !== undefined) return;
    this.#silentSince = since;
    this.#silentFrom = from;
  }

  #heard(): void {
    if (!this.#isDown) this.#silentSince = undefined;
  }
}

/** "No such stream" is an answer; "JetStream is busy" or "has no leader" is none. */
const isAnswer = (error: unknown): boolean =>
  error instanceof NatsError && error.api_error !== undefined && error.api_error.code < 500;

const silent = (since: number): Trouble => ({
  code: "JETSTREAM_SILENT",
  message: "JetStream does not answer on the NATS server, so messages cannot be taken in.",
  next: "Look at the server: its disk, its memory, its log, and nats server report jetstream. The engine goes on by itself.",
  since,
  isEssential: true,
});

const away = (since: number): Trouble => ({
  code: "NATS_AWAY",
  message: "There is no connection to the NATS server, so messages cannot be taken in.",
  next: "Start the server, or see why it does not answer. The engine connects again by itself.",
  since,
  isEssential: true,
});

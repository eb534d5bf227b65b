// Pulse
// Whether JetStream answers: a server may stand still, or take messages and store none, while its connection stays.
//
//   Owns:          asking for the stream of inputs each second; what is told while nothing is answered.
//   Does not own:  answering those who wait for the stream (line.ts), connecting again (the client does).
//
// PULSE-1. A stream that does not answer is told within seconds, as essential, and is told no more once it has
//     answered. Any answer will do: what it says is the concern of whoever reads or writes.
// PULSE-2. To a server that was silent for long nothing is sent but the question whether it answers: what is sent is
//     kept in memory until it is taken.

import { type JetStreamManager, NatsError } from "nats";
import { RetryableError } from "../../runtime/errors.ts";
import type { Clock } from "../../runtime/ports.ts";
import type { Trouble } from "../../runtime/trouble.ts";
import { STREAMS } from "./streams.ts";

const PAUSE_MS = 1_000;
/** Longer than a busy server takes, shorter than anybody's wait for it. */
export const ANSWER_MS = 2_000;
/** By then nobody waits any more for what was sent before. */
const LONG_MS = 10_000;

export class Pulse {
  readonly #manager: JetStreamManager;
  readonly #clock: Clock;
  /** Since when nothing was answered, ms. */
  #silentSince: number | undefined;
  /** The same in monotonic time. */
  #silentFrom = 0;
  #isDown = false;
  #isAsking = false;
  #cancel: (() => void) | undefined;
  #stopped = false;

  /** @param manager one that waits `ANSWER_MS` for an answer. */
  constructor(manager: JetStreamManager, clock: Clock) {
    this.#manager = manager;
    this.#clock = clock;
    this.#askSoon();
  }

  /** The connection was lost: nothing is asked until it stands again, or all of it would be asked then. */
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

  /** For whoever would only wait in vain. @throws RetryableError while nothing is answered. */
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

/** That there is no such stream is an answer, too; that JetStream is busy or has no leader is none. */
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

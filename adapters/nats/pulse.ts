// Pulse
// Checks whether JetStream answers: a server may stall, or store nothing, while its connection stays up.
//
//   Owns:          a request about the stream of inputs each second; the report while nothing answers.
//   Does not own:  answering those who wait for the stream (line.ts), reconnecting (the client does).
//
// PULSE-1. If the stream does not answer, an essential trouble is reported within seconds, until it answers. Any answer counts:
//     the readers and writers handle its content.
// PULSE-2. A server that was silent for long gets only one message, which checks whether it answers: all other messages would
//     stay in memory until the server reads them.

import { type JetStreamManager, NatsError } from "nats";
import { RetryableError } from "../../runtime/errors/errors.ts";
import type { Clock } from "../../runtime/ports.ts";
import type { Trouble } from "../../runtime/errors/trouble.ts";
import { STREAMS } from "./streams.ts";

const PAUSE_MS = 1_000;
/** How long an answer is awaited: longer than a busy server takes, shorter than any caller waits. */
export const ANSWER_MS = 2_000;
/** A server that is silent for so long counts as long silent, ms: no caller waits for an earlier message any more. */
const LONG_MS = 10_000;

export class Pulse {
  readonly #manager: JetStreamManager;
  readonly #clock: Clock;
  /** When the silence began, ms. */
  #silentSince: number | undefined;
  /** When the silence began, in monotonic time. */
  #silentFrom = 0;
  #isDown = false;
  #isAsking = false;
  #cancel: (() => void) | undefined;
  #stopped = false;
  /** Called with each answer: the stream's last position. */
  onTail: (tail: number) => void = () => undefined;

  /** @param manager waits `ANSWER_MS` for an answer. */
  constructor(manager: JetStreamManager, clock: Clock) {
    this.#manager = manager;
    this.#clock = clock;
    this.#askSoon();
  }

  /** The connection was lost: no request is made until it is back, or all requests would be sent at once then. */
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

  /** True if the server has been silent for long (PULSE-2). */
  get isLongSilent(): boolean {
    return this.#silentSince !== undefined && this.#clock.monotonic() - this.#silentFrom >= LONG_MS;
  }

  /** Fails a caller at once instead of after a vain wait. @throws RetryableError while nothing answers. */
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
      const { state } = await this.#manager.streams.info(STREAMS.journal);
      this.#heard();
      this.onTail(state.last_seq);
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

/** True if the error is an answer. "No such stream" is one; "JetStream is busy" and "has no leader" are none. */
const isAnswer = (error: unknown): boolean =>
  error instanceof NatsError && error.api_error !== undefined && error.api_error.code < 500;

const silent = (since: number): Trouble => ({
  code: "JETSTREAM_SILENT",
  message: "JetStream does not answer on the NATS server, so the engine cannot accept messages.",
  next: "Look at the server: its disk, its memory, its log, and the output of `nats server report jetstream`. The engine goes on once JetStream answers.",
  since,
  isEssential: true,
});

const away = (since: number): Trouble => ({
  code: "NATS_AWAY",
  message: "There is no connection to the NATS server, so the engine cannot accept messages.",
  next: "Start the server, or see why it does not answer. The engine connects again by itself.",
  since,
  isEssential: true,
});

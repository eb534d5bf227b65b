// Pulse
// Checks whether JetStream answers: a server may stall, or store nothing, while its connection stays up.
//
//   Owns:          a request about the stream of inputs each second; the report while no request is answered.
//   Does not own:  failing messages that wait for the stream (line.ts), reconnecting (the NATS client does that).
//
// PULSE-1. While the stream does not answer, an essential trouble is reported: the engine then counts as not ready. Any answer
//     ends the trouble.
// PULSE-2. While a server has been silent for long, only one message at a time is sent to it: the request that asks whether it
//     answers. Further messages would stay in memory.

import { type JetStreamManager, NatsError } from "nats";
import { RetryableError } from "../../runtime/errors/errors.ts";
import type { Clock } from "../../runtime/ports.ts";
import type { Trouble } from "../../runtime/errors/trouble.ts";
import { STREAMS } from "./streams.ts";

const PAUSE_MS = 1_000;
/** How long the server's answer is awaited, ms: longer than a busy server takes, shorter than any caller waits. */
export const ANSWER_MS = 2_000;
/** After the server has been silent for so long, ms, no caller still waits for a message that was sent before. */
const LONG_MS = 10_000;

export class Pulse {
  readonly #manager: JetStreamManager;
  readonly #clock: Clock;
  /** When the server's silence began, ms, by the wall clock; undefined while the server answers. */
  #silentSince: number | undefined;
  /** When the server's silence began, ms, by the monotonic clock. */
  #silentFrom = 0;
  #isDown = false;
  #isAsking = false;
  #cancel: (() => void) | undefined;
  #stopped = false;
  /** Called with the stream's last position at each answer of the server. */
  onTail: (tail: number) => void = () => undefined;

  /** @param manager a manager that waits `ANSWER_MS` for an answer. */
  constructor(manager: JetStreamManager, clock: Clock) {
    this.#manager = manager;
    this.#clock = clock;
    this.#askSoon();
  }

  /** Called when the connection is lost: no request is made until it is back, as the NATS client would queue all requests. */
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

  /** PULSE-2. True once the server has been silent for ten seconds. */
  get isLongSilent(): boolean {
    return this.#silentSince !== undefined && this.#clock.monotonic() - this.#silentFrom >= LONG_MS;
  }

  /** Fails at once while the server does not answer, so that no caller waits in vain. @throws RetryableError */
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

/** True if the error shows that the server answers. "No such stream" does; "JetStream is busy" and "has no leader" do not. */
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

// Refusals
// Writes what a door refused into the dead letters, where people find it.
//
//   Owns:          one letter for each refusal, and the limit on a flood of refusals.
//   Does not own:  refusing a message (admit), the answer to its sender (adapters), setting journal entries aside (turn).
//
// DOOR-REFUSALS-1. A refusal is written into the journal like any input, and adds only a dead letter.
// DOOR-REFUSALS-2. At most 50 refusals a second get a letter, and none do while the stored letters have reached a workspace's
//     quota. The others are counted, and the next letter has their number.

import { hash } from "node:crypto";
import type { Engine } from "../engine/engine.ts";
import { RefusedError } from "../errors/errors.ts";
import { inTime } from "../in-time.ts";
import { ENGINE, type Refused } from "../message.ts";
import type { Clock } from "../ports.ts";

const LETTERS_PER_SECOND = 50;
const LETTER_WAIT_MS = 5_000;
const BODY_BYTES_KEPT = 16 * 1024;

export interface Offered {
  /** The door: `http:/v1/events`. */
  readonly door: string;
  readonly by: string;
  readonly body: Uint8Array;
  /** Headers that are needed to send the message again. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole length, if the message was not read to its end. */
  readonly bytes?: number;
}

export class Refusals {
  readonly #engine: Pick<Engine, "submit" | "allowance">;
  readonly #clock: Clock;
  #total = 0;
  #unrecorded = 0;
  #windowAt = -Infinity;
  #inWindow = 0;

  constructor(engine: Pick<Engine, "submit" | "allowance">, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /** All refusals of this process, with or without a letter. */
  get total(): number {
    return this.#total;
  }

  /** Runs a check, and writes a letter if it refuses. @throws the check's error. */
  async refusing<T>(offered: Offered, check: () => T | Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (error) {
      if (error instanceof RefusedError) await this.record(error, offered);
      throw error;
    }
  }

  /** Resolves once the letter is durable, or at once if the refusal is only counted; never long after. */
  async record(error: RefusedError, offered: Offered): Promise<void> {
    this.#total += 1;
    if (!this.#mayWrite()) {
      this.#unrecorded += 1;
      return;
    }
    const said = this.#letter(error, offered);
    try {
      const taken = this.#engine.submit({ door: "own", ...ENGINE, said });
      await inTime(
        this.#clock,
        taken.then(({ settled }) => settled),
        LETTER_WAIT_MS,
      );
    } catch {
      // The sender gets the refusal anyway; if no letter can be written, the engine counts the refusal.
      this.#unrecorded += 1 + (said.unrecorded ?? 0);
    }
  }

  #mayWrite(): boolean {
    const now = this.#clock.monotonic();
    if (now - this.#windowAt >= 1000) {
      this.#windowAt = now;
      this.#inWindow = 0;
    }
    this.#inWindow += 1;
    return this.#inWindow <= LETTERS_PER_SECOND && this.#engine.allowance.mayKeepLetter;
  }

  #letter(error: RefusedError, { door, by, body, headers, bytes }: Offered): Refused {
    const unrecorded = this.#unrecorded;
    this.#unrecorded = 0;
    return {
      type: "refused",
      door,
      by,
      code: error.code,
      reason: error.message,
      ...(error.path !== undefined && { path: error.path }),
      bytes: bytes ?? body.length,
      ...(bytes === undefined && { sha256: hash("sha256", body, "hex") }),
      body: Buffer.from(body.subarray(0, BODY_BYTES_KEPT)).toString("utf8"),
      ...(headers && { headers }),
      ...(unrecorded > 0 && { unrecorded }),
    };
  }
}

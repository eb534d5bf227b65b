// Contact
// Calls the engine for a replay: after its first answer, the replay waits for the engine whenever it goes away.
//
//   Owns:          how long to wait, and the message if the engine does not come back.
//   Does not own:  trying again (patience.ts), what a request contains.
//
// CONTACT-1. An engine that restarts during a replay is not a failure. If it stays away, the message says how far the replay
//     came, and the same command continues from there.

import { Away } from "../client.ts";
import { Failure } from "../failures/failure.ts";
import { untilAnswered } from "../patience.ts";

const STALL_MS = 10_000;

export class Contact {
  readonly lines: number;
  readonly #stallMs: number;
  #hasAnswered = false;
  /** How many lines the engine has answered. */
  taken = 0;

  /** @param stallMs the longest single absence of the engine. */
  constructor(lines: number, stallMs = STALL_MS) {
    this.lines = lines;
    this.#stallMs = stallMs;
  }

  /** @param onStall called when the request has to be repeated. @throws Failure, and whatever `ask` throws. */
  async ask<T>(ask: () => Promise<T>, onStall: () => void = () => undefined): Promise<T> {
    try {
      const answer = await untilAnswered(ask, { stallMs: this.#hasAnswered ? this.#stallMs : 0, onStall });
      this.#hasAnswered = true;
      return answer;
    } catch (error) {
      if (!(error instanceof Away) || !this.#hasAnswered) throw error;
      throw new Failure(
        `The engine stopped answering after ${this.taken} of ${this.lines} lines.`,
        "Run the same command again: what it has taken changes nothing.",
        1,
        { cause: error },
      );
    }
  }
}

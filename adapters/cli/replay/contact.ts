// Contact
// Sends a replay's requests. Once the engine has answered the first request, the replay waits whenever the engine does not
// answer.
//
//   Owns:          how long a replay waits for the engine, and the message if the engine stays silent for longer.
//   Does not own:  repeating a request (patience.ts), what the requests contain.
//
// CONTACT-1. An engine may restart during a replay. If a restart takes too long, the message says how many lines the engine has
//     taken, and that the user should run the command again.

import { Away } from "../client.ts";
import { Failure } from "../failures/failure.ts";
import { untilAnswered } from "../patience.ts";

const STALL_MS = 10_000;

export class Contact {
  readonly lines: number;
  readonly #stallMs: number;
  #hasAnswered = false;
  taken = 0;

  constructor(lines: number, stallMs = STALL_MS) {
    this.lines = lines;
    this.#stallMs = stallMs;
  }

  async ask<T>(ask: () => Promise<T>, onStall: () => void = () => undefined): Promise<T> {
    try {
      const answer = await untilAnswered(ask, { stallMs: this.#hasAnswered ? this.#stallMs : 0, onStall });
      this.#hasAnswered = true;
      return answer;
    } catch (error) {
      if (!(error instanceof Away) || !this.#hasAnswered) throw error;
      throw new Failure(
        `The engine stopped answering after ${this.taken} of ${this.lines} lines.`,
        "Run the same command again: lines that the engine has taken already change nothing.",
        1,
        { cause: error },
      );
    }
  }
}

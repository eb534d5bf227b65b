// Open approval
// An approval that a user may also answer in the program that asked, for example in an editor's dialog.
//
//   Owns:          sending an answer that a user gave in that program to the engine, which decides whose answer counts.
//   Does not own:  waiting for the engine (waiting), the dialog (the caller), reporting answers without the engine (telling).
//
// OPEN-APPROVAL-1. Of several answers, the one that the engine commits first counts. Only a committed answer ends the approval.
// OPEN-APPROVAL-2. If an engine acknowledged the approval, the caller waits for that engine's answer until the deadline. If no
//     engine did, the result has the cause `untaken`, and the caller decides who may answer.

import { setTimeout as sleep } from "node:timers/promises";
import { ASKER_MS } from "../../runtime/gate/times.ts";
import { Line, type WantedApproval, type Where } from "./line.ts";
import { type End, waitForAnswer } from "./waiting.ts";

export interface GivenThere {
  readonly decision: "approve" | "deny";
  readonly via: string;
  readonly interrupt?: true;
}

export class OpenApproval {
  readonly end: Promise<End>;
  readonly #gone = new AbortController();
  readonly #line: Line;
  readonly #inputHash: string;
  #isOver = false;

  constructor(where: Where, wanted: WantedApproval, inputHash: string, timeoutMs: number) {
    this.#line = new Line(where, wanted, this.#gone.signal);
    this.#inputHash = inputHash;
    this.end = waitForAnswer({
      engine: this.#line,
      inputHash,
      closed: wanted.onDeadline,
      deadline: performance.now() + timeoutMs,
    }).finally(() => {
      this.#isOver = true;
    });
  }

  /** Sends the user's answer. @returns once the engine has the answer, or the approval is over. */
  async decide(given: GivenThere): Promise<void> {
    const { silent, again } = ASKER_MS;
    for (let n = 0; !this.#isOver; n++) {
      const heard = await this.#line.decide({ ...given, inputHash: this.#inputHash }, silent);
      if (heard === "told" || heard === "refused") return;
      await sleep(again[Math.min(n, again.length - 1)]);
    }
  }

  /** Reports that the agent has the answer. */
  taken(): void {
    this.#line.taken(ASKER_MS.taken).catch(() => undefined);
  }

  /** Ends the wait for the answer. @returns once the engine knows this; if the engine is silent, after a moment. */
  async leave(): Promise<void> {
    if (!this.#isOver) await this.#line.leave(ASKER_MS.leave).catch(() => undefined);
    this.#gone.abort();
  }
}

// Refusals
// Records each message that a door refused as a dead letter, so that people find it.
//
//   Owns:          one dead letter for each refusal, and how many refusals a second are recorded.
//   Does not own:  refusing a message (admit), the answer to its sender (adapters), setting journal entries aside (turn).
//
// DOOR-REFUSALS-1. A refusal is written into the journal like a message, and its turn adds a dead letter and nothing else.
// DOOR-REFUSALS-2. At most 50 refusals a second get a dead letter. No refusal gets one while the stored dead letters that name
//     no workspace are as large as a quota allows. Refusals without a dead letter are counted, and the next dead letter gives
//     their number.
// DOOR-REFUSALS-3. A dead letter stores only the beginning of the refused body. It names the message's session even if that
//     beginning does not name the session.

import { hash } from "node:crypto";
import { defined } from "../../machines/index.ts";
import type { Engine } from "../engine/engine.ts";
import { RefusedError } from "../errors/errors.ts";
import { inTime } from "../in-time.ts";
import { ENGINE, type Refused } from "../message.ts";
import type { Clock } from "../ports.ts";
import { sessionNamed } from "../rows/named-session.ts";
import { placeWithin, type Reach } from "../workspace-reach.ts";

const LETTERS_PER_SECOND = 50;
const LETTER_WAIT_MS = 5_000;
const BODY_BYTES_KEPT = 16 * 1024;

export interface Offered {
  /** The name of the door that refused the message, such as `http:/v1/events`. */
  readonly door: string;
  readonly by: string;
  readonly body: Uint8Array;
  /** Headers that are needed to send the message again. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The length of the whole message, if the door did not read it to its end. */
  readonly bytes?: number;
  /** The address or the id of the message's session, if the body does not name the session. */
  readonly session?: string;
  /** The workspaces that the sender may send to; all if undefined. */
  readonly reach?: Reach;
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

  /** How many messages this process has refused, with or without a dead letter. */
  get total(): number {
    return this.#total;
  }

  /** Runs a check, and records a dead letter if the check refuses the message. @throws the error of the check. */
  async refusing<T>(offered: Offered, check: () => T | Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (error) {
      if (error instanceof RefusedError) await this.record(error, offered);
      throw error;
    }
  }

  /**
   * Records a dead letter, or only counts the refusal (DOOR-REFUSALS-2). Resolves once the dead letter is durable, or after 5
   * s.
   */
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
      // If the dead letter of a refusal cannot be written, the engine counts the refusal. The sender gets the refusal anyway.
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

  #letter(error: RefusedError, { door, by, body, headers, bytes, reach, ...known }: Offered): Refused {
    const unrecorded = this.#unrecorded;
    this.#unrecorded = 0;
    const { session = sessionNamed(body) } = known;
    const workspace = placeWithin(reach, undefined);
    const isId = session !== undefined && workspace !== undefined && !session.includes("/");
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
      ...defined({ session: isId ? `${workspace}/${session}` : session }),
    };
  }
}

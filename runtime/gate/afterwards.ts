// Afterwards
// Takes in what an asker reports after it has waited for an answer: that it passed the answer on, or that it answered by itself.
//
//   Owns:          the messages that record an asker's report, and the session to which each message is written.
//   Does not own:  waiting for the answer (gate), the states of the approval (machines).
//
// AFTERWARDS-1. Each report of an asker is journalled once, however often the asker sends it.
// AFTERWARDS-2. If an asker answered by itself, its report counts for the approval that the asker had requested, whatever
//     session this approval is in. If no such approval exists, the engine records a new approval that has lapsed, that is,
//     which its asker answered. If the id was used for another call, the report is refused (ASKER-1).
// AFTERWARDS-3. A report of an asker is checked by the door, like every other message.

import { type Address, parseAddress } from "../../machines/index.ts";
import type { Caller } from "../door/door.ts";
import type { Closed, GateAnswered, Via } from "../door/gate-terms.ts";
import type { HookSays } from "../door/hook.ts";
import { RefusedError } from "../errors/errors.ts";
import type { SourceMessage } from "../message.ts";
import { checkAsker } from "../reading/asker.ts";
import { findOwned, type Within } from "../reading/lookup.ts";
import { Reader } from "../reading/reader.ts";
import type { CallHome, Unplaced } from "./call-home.ts";
import type { GateAnswer } from "../reading/gate-answer.ts";
import { askedBy, type RequestingOptions } from "./requesting.ts";
import { GATE_MS } from "./times.ts";

export interface Known {
  readonly address: Address;
  readonly answer: GateAnswer;
}

/** A report that a hook left in the spool (the folder for hooks' messages) while no engine ran. */
export interface LeftBehind extends GateAnswered {
  readonly via?: Via;
  /** The facts by which the engine searches for the call, if the payload names no session. */
  readonly unplaced?: Unplaced;
}

export class Afterwards {
  readonly #around: RequestingOptions;
  readonly #home: CallHome;
  readonly #known: (id: string, within: Within) => Known;
  readonly #forget: (address: Address) => void;

  /**
   * @param known reads an approval's present state; throws RefusedError UNKNOWN_APPROVAL, AmbiguousError. @param forget called
   * when nobody waits for an approval any more.
   */
  constructor(
    around: RequestingOptions,
    home: CallHome,
    known: (id: string, within: Within) => Known,
    forget: (address: Address) => void,
  ) {
    this.#around = around;
    this.#home = home;
    this.#known = known;
    this.#forget = forget;
  }

  /**
   * Records that the asker has the answer and passed it on.
   * @returns the approval's state, once the report is durable.
   * @throws RefusedError UNKNOWN_APPROVAL, NOT_ANSWERED; AmbiguousError.
   */
  async taken(id: string, within: Within, by: string): Promise<GateAnswer> {
    const { address, answer } = this.#known(id, within);
    if (answer.decision === undefined) throw notAnswered(id, answer.state);
    await this.#submit(address, "taken", { type: "approval.taken", data: { by } });
    return answer;
  }

  /**
   * Records that the asker answered its client without an answer from this engine. @param agoMs how long ago the asker did so,
   * ms.
   * @returns the approval's state, once the report is durable.
   * @throws RefusedError UNKNOWN_APPROVAL, BAD_PARAMETER; AmbiguousError.
   */
  async closed(id: string, within: Within, said: Closed, agoMs: number): Promise<GateAnswer> {
    if (agoMs > GATE_MS.most) throw badAgo();
    const { address } = this.#known(id, within);
    const time = Math.round(this.#around.clock.now() - agoMs);
    await this.#submit(address, "answered", { type: "approval.lapsed", data: { said }, time });
    return this.#known(id, within).answer;
  }

  /** Takes in a report that a gate left in the spool (AFTERWARDS-2). @throws RefusedError with a dead letter; RetryableError. */
  async leftBehind(body: Uint8Array, says: HookSays, caller: Caller, left: LeftBehind): Promise<void> {
    const { door, clock, translate } = this.#around;
    const { approvalId, answered, via, unplaced } = left;
    const home = unplaced && (await this.#home.of(approvalId, unplaced, says.workspace));
    const deadlineAt = Math.round(clock.now());
    const asked = { approvalId, deadlineAt, onDeadline: answered, ...(via !== undefined && { via }) };
    const here = { ...says, ...home };
    const { message } = await door.hook(body, { ...here, id: approvalId, gate: asked }, caller);
    const reader = new Reader(this.#around.engine.store);
    const known = findOwned(reader, "approval", approvalId, message);
    const about = askedBy(message, translate);
    if (known && about)
      await door.refusals.refusing({ ...caller, body }, () => checkAsker(reader, known, approvalId, about));
    await door.hook(body, { ...here, id: `${approvalId}.answered`, gate: { approvalId, answered } }, caller);
  }

  async #submit(
    address: Address,
    word: "taken" | "answered",
    { type, data, time }: Pick<SourceMessage, "type" | "time"> & { readonly data: object },
  ): Promise<void> {
    this.#forget(address);
    const { workspace, session, id } = parseAddress(address);
    const message: SourceMessage = {
      door: "in",
      workspace,
      session,
      id: `${id}.${word}`,
      source: "gate",
      type,
      data: { approvalId: id, ...data },
      ...(time !== undefined && { time }),
    };
    await this.#around.door.enter(message);
  }
}

const notAnswered = (id: string, state: string): RefusedError =>
  new RefusedError(
    "NOT_ANSWERED",
    `The approval ${id} is ${state}: it has no answer that an agent could have received.`,
    "Wait for the approval's answer.",
    "id",
  );

const badAgo = (): RefusedError =>
  new RefusedError(
    "BAD_PARAMETER",
    "ago is more than a day.",
    "Say how many milliseconds ago the answer was given.",
    "ago",
  );

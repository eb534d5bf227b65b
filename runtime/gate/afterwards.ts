// Afterwards
// What one who waited says once it has gone on: that it has the answer, or that it answered by itself.
//
//   Owns:          the messages that stand for it, and in whose session they are.
//   Does not own:  the waiting (gate), what becomes of the approval (machines).
//
// AFTERWARDS-1. That an answer was taken, and that its asker answered by itself, is journalled once each, however often
//     it is said.
// AFTERWARDS-2. What an asker answered by itself is told of the approval it asked for, wherever that is; where none ever
//     came, the question is made up for, as lapsed. An id that was used for another call is refused (ASKER-1).
// AFTERWARDS-3. It comes in by the door, as what was sent does.

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

/** As it was left in the spool. */
export interface LeftBehind extends GateAnswered {
  readonly via?: Via;
  /** For a payload that names no session. */
  readonly unplaced?: Unplaced;
}

export class Afterwards {
  readonly #around: RequestingOptions;
  readonly #home: CallHome;
  readonly #known: (id: string, within: Within) => Known;
  readonly #forget: (address: Address) => void;

  /**
   * @param known an approval as it stands; it throws RefusedError UNKNOWN_APPROVAL, AmbiguousError.
   * @param forget called where nobody is to be awaited for the approval any more.
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
   * Whoever waited has the answer, and passed it on.
   * @returns how it stands, once that is durable. @throws RefusedError UNKNOWN_APPROVAL, NOT_ANSWERED; AmbiguousError.
   */
  async taken(id: string, within: Within, by: string): Promise<GateAnswer> {
    const { address, answer } = this.#known(id, within);
    if (answer.decision === undefined) throw notAnswered(id, answer.state);
    await this.#submit(address, "taken", { type: "approval.taken", data: { by } });
    return answer;
  }

  /**
   * Whoever waited has answered by itself.
   * @param agoMs when that was.
   * @returns how it stands, once that is durable. @throws RefusedError UNKNOWN_APPROVAL, BAD_PARAMETER; AmbiguousError.
   */
  async closed(id: string, within: Within, said: Closed, agoMs: number): Promise<GateAnswer> {
    if (agoMs > GATE_MS.most) throw badAgo();
    const { address } = this.#known(id, within);
    const time = Math.round(this.#around.clock.now() - agoMs);
    await this.#submit(address, "answered", { type: "approval.lapsed", data: { said }, time });
    return this.#known(id, within).answer;
  }

  /**
   * Takes in what a gate answered by itself and left behind (AFTERWARDS-2).
   * @throws RefusedError with a dead letter; RetryableError.
   */
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
    `The approval ${id} is ${state}: no answer of it can have been taken.`,
    "Wait for its answer.",
    "id",
  );

const badAgo = (): RefusedError =>
  new RefusedError("BAD_PARAMETER", "ago is more than a day.", "Give the milliseconds since then.", "ago");

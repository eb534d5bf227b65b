// Requesting
// Takes in requests for approval: from hooks, from the Agent SDK or a permission tool, and from services.
//
//   Owns:          finding the request for approval in a message, taking it in, acknowledging it.
//   Does not own:  comparing two requests (machines/matching/asked-about), the payload (adapters of clients; service-call), the
//                  call's session (call-home), whether an id may be used again (reading/asker), waiting for the answer (gate).
//
// REQUESTING-1. A request for approval is acknowledged once its turn is durable. A second request with the same id gets the same
//     approval, or is refused if it is about another call (ASKER-1).
// REQUESTING-2. Messages that hooks sent before the request for approval are taken in before the request.

import { type Address, askedAbout, type AskedAbout, defined, isId } from "../../machines/index.ts";
import type { Caller, Door } from "../door/door.ts";
import { envelopeOf } from "../door/envelope.ts";
import type { Closed, Via } from "../door/gate-terms.ts";
import type { HookSays } from "../door/hook.ts";
import type { Engine } from "../engine/engine.ts";
import { RefusedError } from "../errors/errors.ts";
import { ID_REUSED, NEXT_FOR_REUSED } from "../errors/id-reused.ts";
import type { SourceMessage, Translate } from "../message.ts";
import type { Clock } from "../ports.ts";
import { oneWithin } from "../workspace-reach.ts";
import { checkAsker } from "../reading/asker.ts";
import type { GateAnswer } from "../reading/gate-answer.ts";
import { findOwned, type Within } from "../reading/lookup.ts";
import { Reader } from "../reading/reader.ts";
import type { Reply } from "../turn/turn-result.ts";
import { anyNews, settling, waitFor } from "../wait-for.ts";
import type { CallHome, Unplaced } from "./call-home.ts";
import { eventOf, readServiceCall } from "./service-call.ts";
import { GATE_MS } from "./times.ts";

export interface RequestingOptions {
  readonly engine: Engine;
  readonly door: Door;
  readonly translate: Translate;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Called for each approval that was taken in. @returns the approval's state. */
type Waits = (id: string, address: Address) => GateAnswer | undefined;

export interface AnswerWanted {
  /** The approval's id. The asker makes this id, and sends the same id when it asks again. */
  readonly approvalId: string;
  readonly waitMs: number;
  readonly onDeadline: Closed;
  readonly via?: Via;
  /** The facts by which the engine searches for the call, if the payload names no session. */
  readonly unplaced?: Unplaced;
}

export interface Acknowledged {
  readonly answer: GateAnswer;
  /** What was asked. Later requests under the same id are compared with this. */
  readonly asked: AskedAbout;
  readonly workspace: string;
}

export class Requesting {
  readonly #options: RequestingOptions;
  readonly #home: CallHome;
  readonly #waits: Waits;
  #earlier: () => Promise<void> = () => Promise.resolve();

  constructor(options: RequestingOptions, home: CallHome, waits: Waits) {
    this.#options = options;
    this.#home = home;
    this.#waits = waits;
  }

  /**
   * Sets the step that runs before each approval is taken in: it takes the hook messages that are not journalled yet
   * (REQUESTING-2).
   */
  after(earlier: () => Promise<void>): void {
    this.#earlier = earlier;
  }

  /**
   * Takes in an approval.
   * @returns the approval's state, once the request is durable.
   * @throws RefusedError if it cannot be requested; IdReusedError; AmbiguousError; RetryableError.
   */
  async ask(body: Uint8Array, says: HookSays, caller: Caller, wanted: AnswerWanted): Promise<GateAnswer> {
    const { engine, door, clock, onError } = this.#options;
    const { approvalId, waitMs, onDeadline, via, unplaced } = wanted;
    if (!isId(approvalId)) throw badWanted("approval", "is not an id");
    if (!(waitMs > 0 && waitMs <= GATE_MS.most)) throw badWanted("wait", "is not from 1 ms to a day");
    await waitFor(settling(this.#earlier().catch(onError)), anyNews, { clock, ms: GATE_MS.earlier });
    const deadlineAt = Math.round(engine.watch.latest() + waitMs);
    const gate = { approvalId, deadlineAt, onDeadline, ...(via !== undefined && { via }) };
    if (unplaced) oneWithin(caller.reach, says.workspace);
    const placed = unplaced && (await this.#home.of(approvalId, unplaced, says.workspace));
    const said = { ...says, ...placed, id: approvalId, gate };
    const { message, settled } = await door.hook(body, said, caller);
    return this.#acknowledged(approvalId, message, await settled).answer;
  }

  /**
   * Takes an approval that a service requests for its own call.
   * @param says the workspace, if the body names none.
   * @returns the approval's state, once the request is durable.
   * @throws RefusedError, IdReusedError, AmbiguousError, RetryableError.
   */
  async askForService(
    body: Uint8Array,
    says: Within,
    { door: at, by, reach }: Caller,
  ): Promise<Acknowledged> {
    const { engine, door } = this.#options;
    door.checkOwner();
    // The event has no idempotency key: its deadline counts from now, so a repeat of the request makes another event, which
    // would be refused under the same key (DOOR-2). The approval's id already makes repeats harmless.
    const caller = { door: at, by, ...defined({ reach }) };
    const call = await door.refusals.refusing({ ...caller, body }, () => readServiceCall(body));
    const named = oneWithin(reach, call.workspace ?? says.workspace);
    const workspace = named ?? this.#home.workspaceOf(call.session);
    const event = eventOf(call, workspace, engine.watch.latest());
    const [first] = await door.take([envelopeOf(event)], caller);
    if (first && "refused" in first) throw first.refused;
    // The cast is safe: the door has checked the ids.
    const message = { door: "in", ...event } as SourceMessage;
    return this.#acknowledged(call.approvalId, message, first?.reply);
  }

  #acknowledged(id: string, message: SourceMessage, reply: Reply | undefined): Acknowledged {
    const { engine, translate } = this.#options;
    const reader = new Reader(engine.store);
    const address = findOwned(reader, "approval", id, message);
    const asked = askedBy(message, translate);
    if (address === undefined || asked === undefined) throw notRequested(reply);
    checkAsker(reader, address, id, asked);
    const answer = this.#waits(id, address);
    if (answer === undefined) throw notRequested(reply);
    return { answer, asked, workspace: message.workspace };
  }
}

/** @returns what the message asks about; undefined if it asks for no approval or is not understood. */
export function askedBy(message: SourceMessage, translate: Translate): AskedAbout | undefined {
  try {
    for (const input of translate(message))
      if (input.type === "approval.requested") return askedAbout(message.session, input);
    return undefined;
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

const badWanted = (name: string, why: string): RefusedError =>
  new RefusedError(
    "BAD_PARAMETER",
    `${name} ${why}.`,
    "Request approvals with the hooks that `signalbox install` sets up.",
    name,
  );

function notRequested(reply: Reply | undefined): RefusedError {
  const { code, outcome = "it was not taken", reason = outcome } = reply ?? {};
  const message = `The approval was not requested: ${reason}.`;
  return code === ID_REUSED
    ? new RefusedError(code, message, NEXT_FOR_REUSED)
    : new RefusedError("NOT_ASKED", message, "See the reason in the dead letters: `npx signalbox dlq ls`.");
}

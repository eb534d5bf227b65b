// Door
// Takes messages from outside over any protocol: reads, checks, journals and answers them.
//
//   Owns:          the path of a message, from its bytes or its value to its result; having refusals written as dead letters.
//   Does not own:  protocols (adapters), the checks (admit), room for messages (submit), the effects of a message (turn).
//
// DOOR-1. The messages of a list are written into the journal in the list's order; if there is not room for all of them, none is
//     written.
// DOOR-2. A sender may give an idempotency key with a body. If the key is known already, the messages are not appended again;
//     the same key with another body is refused.
// DOOR-3. The door itself knows the name of the person who decides, and never takes this name from the body of the message.
// DOOR-4. A message is journalled only after the large tool inputs that were taken out of it are durable.
// DOOR-5. No sender waits longer for an answer than the limit in `in-time`.
// DOOR-6. A program can give the door a message as a parsed value. The value is checked, measured, stored and refused like its
//     JSON text.
// DOOR-7. The door adds to a message that asks for an approval the name under which the door knows the sender.
// DOOR-8. A message is refused if its sender may not send to its workspace. The refusal is the same whether or not the workspace
//     exists.
// DOOR-9. A message to a workspace of another partition is refused and not journalled. The refusal names that partition.

import type { Reply } from "../turn/turn-result.ts";
import {
  type AddressParts,
  type Decision,
  defined,
  parseAddress,
  sessionAddress,
  type WorkspaceId,
} from "../../machines/index.ts";
import type { Clients } from "../clients.ts";
import { checkPartition } from "../cluster/partition.ts";
import type { Offer } from "../engine/allowance.ts";
import { type RefusedError, RetryableError } from "../errors/errors.ts";
import { inTime } from "../in-time.ts";
import { checkWithin, type Reach, WORKSPACE_HEADER } from "../workspace-reach.ts";
import { findOwned, type Within } from "../reading/lookup.ts";
import type { Message, OwnMessage, SourceMessage } from "../message.ts";
import type { Clock, Ids } from "../ports.ts";
import { Reader } from "../reading/reader.ts";
import { notTaken, unknownApproval } from "./complaints.ts";
import { readDecision } from "./decision.ts";
import { type HearHook, type HookSays, readHookMessage } from "./hook.ts";
import { keyed } from "./keyed.ts";
import { checked, type Read, readEvents, readOne } from "./list.ts";
import { Refusals } from "./refusals.ts";
import { readLetter, unknownLetter } from "./retry.ts";
import { letterAt } from "../rows/dead-letters.ts";
import { checkSeen } from "./inputs/seen-input.ts";
import { kept, sentBy, settledOf, submit, type Submitting } from "./submit.ts";
import { takeOrDrop, withinQuota } from "./within-quota.ts";
import { Workspaces } from "./workspace.ts";

export interface DoorOptions extends Submitting {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Called for each hook after the hook's message is in the journal. */
  readonly onHook?: HearHook;
}

/** The sender of a message, and the door it came through. */
export interface Caller {
  readonly door: string;
  readonly by: string;
  /** The sender's idempotency key, unchecked. */
  readonly key?: string;
  /** The header `traceparent`, unchecked; a malformed header counts as none (TRACEPARENT-1). */
  readonly traceparent?: string;
  /** The workspaces that the sender may send to; all if undefined. */
  readonly reach?: Reach;
}

export type Taken = { readonly reply: Reply } | { readonly refused: RefusedError | RetryableError };

export interface TakenEvents {
  readonly isList: boolean;
  readonly taken: readonly Taken[];
}

/** A hook's message that is in the journal, as it was before its inputs were lifted; `settled` has its turn's result. */
export interface Hooked {
  readonly message: SourceMessage;
  readonly settled: Promise<Reply>;
}

export class Door {
  readonly refusals: Refusals;
  readonly clients: Clients;
  readonly #options: DoorOptions;
  readonly #workspaces: Workspaces;

  constructor(options: DoorOptions) {
    const { engine, clock } = options;
    this.#options = options;
    this.clients = options.clients;
    this.#workspaces = new Workspaces(engine.store);
    this.refusals = new Refusals(engine, clock);
  }

  /**
   * Takes one envelope, or a list of at most 1,000.
   * @returns the result of each, once that is durable; a refused envelope has a dead letter.
   * @throws RefusedError for another body, or a key used for another body; RetryableError if not ready.
   */
  async events(body: Uint8Array, caller: Caller): Promise<TakenEvents> {
    this.#checkReady();
    const read = this.refusals.refusing({ ...caller, body }, () => readEvents(body, this.clients));
    const taken = read.then(async ({ isList, events }) => {
      return { isList, taken: await this.#take(events, caller, () => body, body.length) };
    });
    return inTime(this.#options.clock, taken);
  }

  /**
   * Takes parsed envelopes.
   * @returns the results, as `events` does.
   * @throws RefusedError for a key used for other envelopes; RetryableError if not ready.
   */
  async take(envelopes: readonly unknown[], caller: Caller): Promise<readonly Taken[]> {
    this.#checkReady();
    const events = envelopes.map((each) => readOne(each, this.clients));
    const sent = (): Uint8Array => Buffer.from(JSON.stringify(envelopes));
    return inTime(this.#options.clock, this.#take(events, caller, sent));
  }

  /** @param sent returns the bytes that came with the sender's key. @param bytes their length; undefined for parsed envelopes. */
  async #take(events: readonly Read[], caller: Caller, sent: () => Uint8Array, bytes?: number) {
    const { engine } = this.#options;
    const within = events.map((each) => checked(each, ({ workspace }) => this.checkHome(workspace, caller)));
    const offers = within.flatMap((each) =>
      "message" in each ? [{ ...each, message: sentBy(each.message, caller, engine.store) }] : [],
    );
    const size = bytes ?? offers.reduce((sum, offer) => sum + offer.bytes, 0);
    const read = offers.map(({ message }) => message);
    const named = await keyed(engine, read, sent, caller);
    const offered = named.map((message, n) => ({ message, bytes: offers[n]?.bytes ?? 0 }));
    // A message with a known key appends nothing (DOOR-2), so it needs no quota.
    const isKnown = ({ message: { key } }: Offer) => key !== undefined && engine.known(key) !== undefined;
    const judged = withinQuota(engine.allowance, offered, isKnown);
    try {
      const through = judged.flatMap(({ message, refusal }) => (refusal ? [] : [message]));
      const replies = submit(engine, await kept(this.#options, through, size), size).values();
      const next = judged.values();
      const settled = within.map(async (each): Promise<Taken> => {
        if ("message" in each) {
          const { refusal, letGo } = next.next().value ?? {};
          return refusal ? { refused: refusal } : settledOf(replies.next().value).finally(letGo);
        }
        await this.refusals.record(each.error, { ...caller, body: each.body });
        return { refused: each.refused };
      });
      return await Promise.all(settled);
    } finally {
      for (const { letGo } of judged) letGo();
    }
  }

  /**
   * Takes a client's hook payload.
   * @returns its message once the journal has it; its effects are `settled` later.
   * @throws RefusedError for an unreadable payload (it has a dead letter); RetryableError OVER_QUOTA, or if not ready.
   */
  async hook(body: Uint8Array, says: HookSays, caller: Caller): Promise<Hooked> {
    this.#checkReady();
    this.checkOwner();
    const { workspace, session } = says;
    const headers = workspace === undefined ? undefined : { [WORKSPACE_HEADER]: workspace.slice(0, 256) };
    const read = () => {
      const around = { ...this.#options, workspaces: this.#workspaces };
      const message = readHookMessage(body, { ...says, reach: caller.reach }, around);
      this.checkHome(message.workspace, caller);
      return message;
    };
    const said = await this.refusals.refusing({ ...caller, body, ...defined({ headers, session }) }, read);
    const message = sentBy(said, caller, this.#options.engine.store, says);
    const offer = { message, bytes: body.length };
    const letGo = takeOrDrop(this.#options.engine.allowance, offer);
    try {
      const [lifted = message] = await kept(this.#options, [message], body.length);
      const { settled } = await this.#options.engine.submit(lifted);
      settled.then(letGo, letGo);
      this.#options.onHook?.(message, caller.by);
      return { message, settled };
    } catch (error) {
      letGo();
      throw error;
    }
  }

  /**
   * Takes a person's decision.
   * @returns its result, once that is durable.
   * @throws RefusedError UNKNOWN_APPROVAL, AMBIGUOUS, INPUT_MISSING, or the fault in the body (with a dead letter).
   */
  async decision(approvalId: string, body: Uint8Array, caller: Caller, within: Within = {}): Promise<Reply> {
    this.#checkReady();
    const where = this.whereIs(approvalId, within);
    const read = () => readDecision(body, caller.by, approvalId);
    const session = sessionAddress(where.workspace, where.session);
    const said = await this.refusals.refusing({ ...caller, body, session }, read);
    return inTime(this.#options.clock, this.#decide(where, said, body, caller));
  }

  /**
   * Takes a person's decision that names its approval, from a sender who may decide in one workspace only.
   * @returns its result, once that is durable.
   * @throws RefusedError with a dead letter; OTHER_PARTITION; UNKNOWN_APPROVAL, also for an approval of another workspace; and
   * the errors of `confirm`.
   */
  async decisionIn(
    workspace: WorkspaceId,
    body: Uint8Array,
    caller: Caller,
  ): Promise<{ readonly approvalId: string; readonly reply: Reply }> {
    this.#checkReady();
    return this.refusals.refusing({ ...caller, body }, async () => {
      const said = readDecision(body, caller.by);
      this.checkHome(workspace, caller);
      await this.#options.engine.mandate.fresh.confirm();
      const where = this.whereIs(said.approvalId, { workspace });
      const reply = await inTime(this.#options.clock, this.#decide(where, said, body, caller));
      return { approvalId: said.approvalId, reply };
    });
  }

  /** @throws RefusedError UNKNOWN_APPROVAL, AMBIGUOUS */
  whereIs(approvalId: string, within: Within): AddressParts {
    const address = findOwned(new Reader(this.#options.engine.store), "approval", approvalId, within);
    if (address === undefined) throw unknownApproval(approvalId);
    return parseAddress(address);
  }

  async #decide(where: AddressParts, said: Decision, body: Uint8Array, caller: Caller): Promise<Reply> {
    const { engine, blobs } = this.#options;
    await checkSeen(new Reader(engine.store), blobs, where, said);
    const { workspace, session } = where;
    return this.own({ door: "own", workspace, session, said }, body, caller);
  }

  /**
   * Takes an own message that a door made for a person, such as a decision or a dismissal.
   * @param body the sent bytes, for the idempotency key.
   * @throws RefusedError KEY_REUSED; RetryableError OVERLOADED, or if not ready.
   */
  async own(message: OwnMessage, body: Uint8Array, caller: Caller): Promise<Reply> {
    this.#checkReady();
    const [named = message] = await keyed(this.#options.engine, [message], () => body, caller);
    return inTime(this.#options.clock, this.enter(named, body.length));
  }

  /** Takes a message made by the engine, or one from the journal. @throws RetryableError OVERLOADED, or if not ready. */
  async enter(message: Message, bytes = 0): Promise<Reply> {
    this.#checkReady();
    return submit(this.#options.engine, [message], bytes)[0] ?? Promise.reject(notTaken());
  }

  /**
   * Sends the message of a dead letter again; the message is then treated like a new one.
   * @throws RefusedError for a dead letter that cannot be sent again, or is refused again; RetryableError if not ready.
   */
  async retry(n: number, caller: Caller): Promise<TakenEvents> {
    this.#checkReady();
    this.checkLetters([n], caller);
    const again = readLetter(this.#options.engine.store, n);
    if (again.to === "events") return this.events(again.body, caller);
    if (again.to === "journal") {
      const entered = inTime(this.#options.clock, this.enter(again.message));
      return { isList: false, taken: [await settledOf(entered)] };
    }
    await this.hook(again.body, again.says, caller);
    return { isList: false, taken: [] };
  }

  /** @throws RefusedError UNKNOWN_LETTER for a dead letter of a workspace that the caller may not send to. */
  checkLetters(letters: readonly number[], { reach }: Caller): void {
    const { store } = this.#options.engine;
    const hidden = reach && letters.find((n) => letterAt(store, n, [...reach]) === undefined);
    if (hidden !== undefined) throw unknownLetter(hidden);
  }

  /**
   * DOOR-8, DOOR-9. Checks that the caller and this engine may use a workspace.
   * @throws RefusedError NOT_ALLOWED, OTHER_PARTITION
   */
  checkHome(workspace: WorkspaceId, { reach }: Pick<Caller, "reach">): void {
    checkWithin(reach, workspace);
    checkPartition(this.#options.engine.meta().configuration.partition, workspace);
  }

  /** Checks that this engine is not a spare. @throws RetryableError STANDING_BY on a spare. */
  checkOwner(): void {
    if (this.#options.engine.mandate.refusal) throw this.#options.engine.mandate.refusal;
  }

  #checkReady(): void {
    if (this.#options.engine.isReady) return;
    throw new RetryableError("NOT_READY", "The engine is starting or stopping.", "Send again shortly.", 1000);
  }
}

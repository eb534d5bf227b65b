// Gate
// Hooks that wait for an answer: their approval taken in, their answer once it is committed.
//
//   Owns:          acknowledging an approval, waiting for its answer, noticing that nobody waits any more.
//   Does not own:  what is said after the waiting (afterwards), the payload (adapters of clients; service-call), whose
//                  call it is (call-home), the answer's meaning (reading/gate-answer), the wire (adapters).
//
// GATE-GATE-1. An approval is acknowledged once its turn is durable; asked again under the same id, it is the same approval.
// GATE-GATE-2. An answer is read from what is durable, after the change that brought it was committed.
// GATE-GATE-3. What hooks said before the approval is taken in before it.
// GATE-GATE-4. An approval nobody waits for any more is withdrawn, unless the engine is stopping; one that was answered
//      just then is noted as an answer for nobody.
// GATE-GATE-5. A service that asks again and again, over HTTP or NATS, waits for 15 s from each question on. While the
//      journal takes nothing in, and for 15 s after that, nobody is gone.

import { type Address, parseAddress, type ApprovalId, isId } from "../../machines/index.ts";
import type { Caller, Door } from "../door/door.ts";
import type { HookSays } from "../door/hook.ts";
import type { Engine } from "../engine/engine.ts";
import { RefusedError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { findOwned, type Within } from "../reading/lookup.ts";
import type { Queries } from "../reading/queries.ts";
import { Reader } from "../reading/reader.ts";
import type { ApprovalView } from "../rows/views.ts";
import { Afterwards, unknown } from "./afterwards.ts";
import { gateAnswer, type GateAnswer } from "../reading/gate-answer.ts";
import { COME_BACK_MS, Presence } from "./presence.ts";
import type { Closed, Via } from "../door/gate-terms.ts";
import { CallHome, type Unplaced } from "./call-home.ts";
import { eventOf, readServiceCall, SERVICE_CHANNEL } from "./service-call.ts";

export interface GateOptions {
  readonly engine: Engine;
  readonly door: Door;
  readonly queries: Queries;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export interface AnswerWanted {
  /** The approval's id, made by the gate: it asks again under it. */
  readonly approvalId: string;
  /** How long the gate waits, ms. */
  readonly waitMs: number;
  readonly onDeadline: Closed;
  readonly via?: Via;
  /** For a payload that names no session. */
  readonly unplaced?: Unplaced;
}

/** A gate that was waiting when the engine ended comes back as soon as it starts. */
const AFTER_START_MS = 15_000;
/** What lies before an approval is waited for no longer than this. */
const EARLIER_MS = 500;
const DAY_MS = 86_400_000;

/** Services ask again and again, with pauses. */
const SERVICE_BACK_MS = 15_000;

/** True of approvals whose asker waits here. */
const waitsHere = ({ channels }: Pick<ApprovalView, "channels">): boolean =>
  channels.some((channel) => channel === "gate" || channel.startsWith("gate-"));

export class Gate {
  readonly #options: GateOptions;
  /** What is said by those who waited, once they have gone on. */
  readonly afterwards: Afterwards;
  readonly #presence: Presence;
  readonly #home: CallHome;
  readonly #ends = new Set<() => void>();
  /** Those that could not be heard of for a while. */
  readonly #spared = new Set<Address>();
  #unlisten: () => void = () => undefined;
  #earlier: () => Promise<void> = () => Promise.resolve();

  constructor(options: GateOptions) {
    this.#options = options;
    this.#presence = new Presence(options.clock, (address) => this.#gone(address as Address));
    this.#home = new CallHome(options.engine, options.clock);
    this.afterwards = new Afterwards(options, this.#home, (address) => this.#forget(address));
  }

  /** Takes in what hooks said and is not journalled yet, before each approval (GATE-GATE-3). */
  after(earlier: () => Promise<void>): void {
    this.#earlier = earlier;
  }

  /** Awaits the gates whose approvals are pending; those that do not come back are gone. After the engine's start. */
  start(): void {
    const filter = { state: "pending" };
    let cursor: string | undefined;
    do {
      const slice = { limit: 1_000, ...(cursor !== undefined && { cursor }) };
      const { items, nextCursor } = this.#options.queries.listApprovals(filter, slice);
      for (const each of items)
        if (waitsHere(each)) this.#expect(each.id, { workspace: each.workspace }, AFTER_START_MS);
      cursor = nextCursor;
    } while (cursor !== undefined);
    // Over NATS an approval comes without a word to the gate.
    this.#unlisten = this.#options.engine.onChanges((changes) => {
      for (const { entity, id, workspace, from, to } of changes)
        if (entity === "approval" && from === null && to === "pending") this.heard(id, { workspace });
    });
  }

  /** A service waits for the approval now (GATE-GATE-5). */
  heard(id: string, within: Within): void {
    const address = this.#find(id, within);
    if (address !== undefined && this.#isOfService(address)) this.#expect(id, within, SERVICE_BACK_MS);
  }

  /** Whoever waits is told that it is still pending. */
  stop(): void {
    this.#unlisten();
    this.#presence.stop();
    for (const end of this.#ends) end();
  }

  /**
   * Takes in an approval.
   * @returns how it stands, once that is durable. @throws RefusedError for one that cannot be asked; RetryableError.
   */
  async ask(body: Uint8Array, says: HookSays, caller: Caller, wanted: AnswerWanted): Promise<GateAnswer> {
    const { approvalId, waitMs, onDeadline, via, unplaced } = wanted;
    if (!isId(approvalId)) throw badWanted("approval", "is not an id");
    if (!(waitMs > 0 && waitMs <= DAY_MS)) throw badWanted("wait", "is not from 1 ms to a day");
    await this.#takeEarlier();
    const deadlineAt = Math.round(this.#options.clock.now() + waitMs);
    const gate = { approvalId, deadlineAt, onDeadline, ...(via !== undefined && { via }) };
    const home = unplaced && (await this.#home.of(unplaced, says.workspace));
    const said = { ...says, ...home, id: approvalId, gate };
    const { workspace, settled } = await this.#options.door.hook(body, said, caller);
    const { outcome, reason } = await settled;
    return this.#acknowledged(approvalId, workspace, COME_BACK_MS, reason ?? outcome);
  }

  /**
   * Takes in an approval that a service asks for: whether a call of its own may be made.
   * @param says the workspace, where the body names none.
   * @returns how it stands, once that is durable. @throws RefusedError, AmbiguousError, RetryableError.
   */
  async askForService(body: Uint8Array, says: Within, { door: at, by }: Caller): Promise<GateAnswer> {
    const { door, clock } = this.#options;
    // Its id makes it one, however often it is sent; its deadline differs each time, and a key would notice.
    const caller = { door: at, by };
    const call = await door.refusals.refusing({ ...caller, body }, () => readServiceCall(body));
    const workspace = call.workspace ?? says.workspace ?? this.#home.workspaceOf(call.session);
    const { taken } = await door.events(eventOf(call, workspace, clock.now()), caller);
    const [first] = taken;
    if (first && "refused" in first) throw first.refused;
    const why = first?.reply.reason ?? first?.reply.outcome ?? "it was not taken";
    return this.#acknowledged(call.approvalId, workspace, SERVICE_BACK_MS, why);
  }

  #acknowledged(id: string, workspace: string, backMs: number, why: string): GateAnswer {
    const address = this.#find(id, { workspace });
    const read = address && this.#read(id, address);
    if (address === undefined || read === undefined) throw notRequested(why);
    if (read.state === "pending") this.#expect(id, { workspace }, backMs);
    else this.#forget(address);
    return read;
  }

  /**
   * What becomes of an approval.
   * @param waitMs how long to wait for it; after that it is pending still.
   * @param gone aborted when whoever asks is gone.
   * @throws RefusedError UNKNOWN_APPROVAL; AmbiguousError.
   */
  answer(id: string, within: Within, waitMs: number, gone: AbortSignal): Promise<GateAnswer> {
    const address = this.#find(id, within);
    const first = address && this.#read(id, address);
    if (address === undefined || first === undefined) return Promise.reject(unknown(id));
    if (first.state !== "pending") {
      this.#forget(address);
      return Promise.resolve(first);
    }
    const { engine, clock } = this.#options;
    const backMs = this.#isOfService(address) ? SERVICE_BACK_MS : undefined;
    if (waitMs === 0) {
      // Whoever asks now and then is there, too.
      if (backMs !== undefined) this.#presence.expect(address, backMs);
      return Promise.resolve(first);
    }
    const leave = this.#presence.enter(address, backMs);
    const { workspace, id: own } = parseAddress(address);
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        unlisten();
        gone.removeEventListener("abort", end);
        this.#ends.delete(end);
        leave(gone.aborted);
        const now = this.#read(id, address) ?? first;
        if (now.state !== "pending") this.#forget(address);
        resolve(now);
      };
      const cancel = clock.after(waitMs, end);
      const unlisten = engine.onChanges((changes) => {
        const isMeant = changes.some(
          (each) => each.entity === "approval" && each.id === own && each.workspace === workspace,
        );
        if (isMeant && this.#read(id, address)?.state !== "pending") end();
      });
      gone.addEventListener("abort", end);
      this.#ends.add(end);
    });
  }

  /**
   * Nobody waits for the approval any more: whoever did says so.
   * @returns how it stands. @throws RefusedError UNKNOWN_APPROVAL; AmbiguousError.
   */
  leave(id: string, within: Within): GateAnswer {
    const address = this.#find(id, within);
    const found = address && this.#read(id, address);
    if (address === undefined || found === undefined) throw unknown(id);
    this.#presence.leave(address);
    return found;
  }

  async #takeEarlier(): Promise<void> {
    const { clock, onError } = this.#options;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(EARLIER_MS, resolve);
      this.#earlier()
        .catch(onError)
        .finally(() => {
          cancel();
          resolve();
        });
    });
  }

  #find(id: string, within: Within): Address | undefined {
    return findOwned(new Reader(this.#options.engine.store), "approval", id, within);
  }

  #read(id: string, address: Address): GateAnswer | undefined {
    const reader = new Reader(this.#options.engine.store);
    const found = reader.actor(address);
    return found && gateAnswer(id, reader.approval(found, true));
  }

  #isOfService(address: Address): boolean {
    const reader = new Reader(this.#options.engine.store);
    const found = reader.actor(address);
    return found !== undefined && reader.approval(found, false).channels.includes(SERVICE_CHANNEL);
  }

  #expect(id: string, within: Within, ms?: number): void {
    const address = this.#find(id, within);
    if (address !== undefined && this.#read(id, address)?.state === "pending")
      this.#presence.expect(address, ms);
  }

  /** Nobody is awaited for it any more. */
  #forget(address: Address): void {
    this.#presence.forget(address);
    this.#spared.delete(address);
  }

  /** Nobody can be heard of while the server stands still; afterwards they have their time again. */
  #isSpared(address: Address): boolean {
    const spared = this.#spared.delete(address);
    if (
      !this.#options.engine.troubles().some(({ isEssential }) => isEssential) ||
      !this.#isOfService(address)
    )
      return spared;
    this.#spared.add(address);
    return true;
  }

  #gone(address: Address): void {
    const { engine, onError } = this.#options;
    const { workspace, session, id } = parseAddress(address);
    if (this.#isSpared(address)) return this.#presence.expect(address, SERVICE_BACK_MS);
    const found = this.#read(id, address);
    if (found?.state !== "pending" && found?.decision === undefined) return;
    const approvalId = id as ApprovalId;
    engine.own(workspace, session, { type: "waiter.gone", approvalId }).catch(onError);
  }
}

const badWanted = (name: string, why: string): RefusedError =>
  new RefusedError("BAD_PARAMETER", `${name} ${why}.`, "Ask as `signalbox install` sets it up.", name);

const notRequested = (why: string): RefusedError =>
  new RefusedError("NOT_ASKED", `The approval was not requested: ${why}.`, "See the dead letters.");

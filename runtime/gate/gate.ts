// Gate
// Lets hooks and services wait for the answer to an approval, and sends them the answer once it is committed.
//
//   Owns:          waiting for an answer, noticing that an asker is gone.
//   Does not own:  requesting the approval (requesting), reports after the wait (afterwards), who may get the answer
//                  (reading/asker), the form of the answer (reading/gate-answer), protocols (adapters).
//
// GATE-GATE-2. The gate reads an answer from durable rows, after the commit of the change that contains it.
// GATE-GATE-4. If no asker waits for an approval any more, the approval is withdrawn, unless nobody waits only because the
//     engine is stopping. If the approval was answered at the same moment, its record shows that the answer reached nobody.
// GATE-GATE-5. A service that asks again and again, over HTTP or NATS, counts as waiting for 15 s after each ask. While
//     the journal takes no messages, and for 15 s after that, no service counts as gone.

import { type Address, parseAddress, type ApprovalId } from "../../machines/index.ts";
import { RefusedError } from "../errors/errors.ts";
import { checkReader, type Said } from "../reading/asker.ts";
import { gateAnswer, type GateAnswer } from "../reading/gate-answer.ts";
import { findOwned, type Within } from "../reading/lookup.ts";
import type { Queries } from "../reading/queries.ts";
import { Reader } from "../reading/reader.ts";
import type { ApprovalView } from "../rows/views.ts";
import { waitFor } from "../wait-for.ts";
import { Afterwards, type Known } from "./afterwards.ts";
import { Requesting, type RequestingOptions } from "./requesting.ts";
import { CallHome } from "./call-home.ts";
import { Leases } from "./leases.ts";
import { SERVICE_CHANNEL } from "./service-call.ts";
import { LEASE_MS, type Terms } from "./times.ts";
import { Waiters } from "./waiters.ts";

export interface GateOptions extends RequestingOptions {
  readonly queries: Queries;
}

const waitsHere = ({ channels }: Pick<ApprovalView, "channels">): boolean =>
  channels.some((channel) => channel === "gate" || channel.startsWith("gate-"));

export class Gate {
  readonly #options: GateOptions;
  readonly requesting: Requesting;
  readonly afterwards: Afterwards;
  readonly #leases: Leases;
  readonly #waiters: Waiters;
  /** The approvals whose lease was renewed because their services could not ask again while the engine took no messages. */
  readonly #spared = new Set<Address>();
  #unlisten: () => void = () => undefined;
  #isOver = false;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#leases = new Leases(options.clock, (address) => this.#gone(address as Address));
    this.#waiters = new Waiters(options.engine);
    const home = new CallHome(options.engine, options.clock, this.#waiters);
    this.requesting = new Requesting(options, home, (...asked) => this.#asked(...asked));
    const known = this.#known.bind(this);
    this.afterwards = new Afterwards(options, home, known, (address) => this.#forget(address));
  }

  /**
   * Gives the asker of each pending approval a lease. When the lease ends, the asker counts as gone. Must be called after the
   * engine's start.
   */
  start(): void {
    const filter = { state: "pending" };
    let cursor: string | undefined;
    do {
      const slice = { limit: 1_000, ...(cursor !== undefined && { cursor }) };
      const { items, nextCursor } = this.#options.queries.listApprovals(filter, slice);
      for (const { id, workspace } of items.filter(waitsHere)) {
        const address = this.#find(id, { workspace });
        if (address !== undefined) this.#leases.renew(address, LEASE_MS.restart);
      }
      cursor = nextCursor;
    } while (cursor !== undefined);
    // An approval that is requested over NATS does not pass through the gate, which learns of it only by its change, and then
    // begins a lease for its service.
    this.#unlisten = this.#options.engine.onChanges((changes) => {
      for (const { entity, id, workspace, from, to } of changes)
        if (entity === "approval" && from === null && to === "pending") this.heard(id, { workspace });
    });
  }

  /** Notes that a service still waits for the approval: its lease begins anew (GATE-GATE-5). */
  heard(id: string, within: Within): void {
    const address = this.#find(id, within);
    if (address === undefined || !this.#isOfService(address)) return;
    if (this.#read(id, address)?.state === "pending") this.#leases.renew(address, LEASE_MS.service.asked);
  }

  /** Stops the gate: answers everybody who waits that the approval is still pending. */
  stop(): void {
    this.#unlisten();
    this.#leases.stop();
    this.#isOver = true;
    this.#waiters.tellAll();
  }

  /**
   * Waits for the answer to an approval.
   * @param waitMs how long to wait; after that, the approval may still be pending. @param said the call that the waiting caller
   * asked about (ASKER-2).
   * @param gone aborted when the asker is gone.
   * @throws RefusedError UNKNOWN_APPROVAL, BAD_PARAMETER; IdReusedError; AmbiguousError.
   */
  async answer(
    id: string,
    { workspace, ...said }: Within & Said,
    waitMs: number,
    gone: AbortSignal,
  ): Promise<GateAnswer> {
    const { address, answer: first } = this.#known(id, workspace === undefined ? {} : { workspace });
    checkReader(new Reader(this.#options.engine.store), address, id, said);
    if (first.state !== "pending") {
      this.#forget(address);
      return first;
    }
    const { clock } = this.#options;
    const terms = this.#termsOf(address);
    if (waitMs === 0) {
      // A service may ask again and again instead of waiting, so each ask renews the service's lease.
      if (terms === LEASE_MS.service) this.#leases.renew(address, terms.asked);
      return first;
    }
    const leave = this.#leases.hold(address, terms);
    const { workspace: place, id: own } = parseAddress(address);
    const changes = this.#waiters.of({ entity: "approval", id: own, workspace: place });
    const isAnswered = (): boolean => this.#isOver || this.#read(id, address)?.state !== "pending";
    try {
      await waitFor(changes, isAnswered, { clock, ms: waitMs }, gone);
    } finally {
      leave(gone.aborted);
    }
    const now = this.#read(id, address) ?? first;
    if (now.state !== "pending") this.#forget(address);
    return now;
  }

  /**
   * Notes that the asker no longer waits for the approval.
   * @returns the approval's state.
   * @throws RefusedError UNKNOWN_APPROVAL; AmbiguousError.
   */
  leave(id: string, within: Within): GateAnswer {
    const { address, answer } = this.#known(id, within);
    this.#leases.leave(address);
    return answer;
  }

  #asked(id: string, address: Address): GateAnswer | undefined {
    const found = this.#read(id, address);
    if (found?.state === "pending") this.#leases.renew(address, this.#termsOf(address).asked);
    else this.#forget(address);
    return found;
  }

  /** @throws RefusedError UNKNOWN_APPROVAL; AmbiguousError. */
  #known(id: string, within: Within): Known {
    const address = this.#find(id, within);
    const answer = address && this.#read(id, address);
    if (address !== undefined && answer !== undefined) return { address, answer };
    throw new RefusedError("UNKNOWN_APPROVAL", `There is no approval ${id}.`, "Request it again.", "id");
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

  #termsOf(address: Address): Terms {
    return this.#isOfService(address) ? LEASE_MS.service : LEASE_MS.client;
  }

  #forget(address: Address): void {
    this.#leases.forget(address);
    this.#spared.delete(address);
  }

  /**
   * True if a service's lease that has ended must be renewed, because the service could not ask again: the engine takes no
   * messages, or took none when the lease last ended.
   */
  #isSpared(address: Address): boolean {
    const wasSpared = this.#spared.delete(address);
    const isStill = this.#options.engine.troubles().some(({ isEssential }) => isEssential);
    if (!isStill || !this.#isOfService(address)) return wasSpared;
    this.#spared.add(address);
    return true;
  }

  #gone(address: Address): void {
    const { engine, onError } = this.#options;
    const { workspace, session, id } = parseAddress(address);
    if (this.#isSpared(address)) return this.#leases.renew(address, LEASE_MS.service.asked);
    const found = this.#read(id, address);
    if (found?.state !== "pending" && found?.decision === undefined) return;
    const approvalId = id as ApprovalId;
    engine.own(workspace, session, { type: "waiter.gone", approvalId }).catch(onError);
  }
}

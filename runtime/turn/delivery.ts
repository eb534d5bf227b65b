// Delivery
// Delivers one input to its session and then to the session's actors, until no actor reports anything more.
//
//   Owns:          the queue of deliveries, creating actors, what each effect does to the rows.
//   Does not own:  dropping the changed rows after an exception (turn), numbering changes (playing).
//
// DELIVERY-1. Deliveries are made in the order in which they were queued, at most 10,000 for one input. (checked by review: no
//     input leads to so many)
// DELIVERY-2. If an actor's state does not allow an event, the whole input is rejected: none of the input's effects remain.

import type { Stage } from "./stage.ts";
import {
  type Address,
  type AddressParts,
  type DecisionResult,
  type Audit,
  batchBooks,
  type CallContext,
  childAddress,
  type Deliver,
  differenceText,
  type Effect,
  type Input,
  type Report,
  type RequestId,
  route,
  type Routed,
  routeReport,
  scene,
  sessionAddress,
  type SessionEvent,
  type Spawn,
} from "../../machines/index.ts";
import { begin, move, type Moved, type Snapshot } from "../rows/actors/actors.ts";
import { setAlarm } from "../rows/alarms.ts";
import { changesOf, type DraftChange } from "../rows/changes.ts";
import { InvariantViolation } from "../errors/errors.ts";
import { ID_REUSED } from "../errors/id-reused.ts";
import { keys, type Owned } from "../rows/keys.ts";
import { list, listAlias } from "../rows/listing.ts";
import { type Name, SESSION, SessionRecords } from "../rows/session-records.ts";
import { removeActor } from "./removal.ts";

const DELIVERIES_MAX = 10_000;

/** Rejects one input: none of the input's effects remain, only a record of the reason. */
export class Rejection extends Error {
  /** A code that tells the message's sender what is wrong; undefined if the sender can do nothing about the rejection. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

export interface Delivered {
  readonly changes: readonly DraftChange[];
  readonly answers: readonly DecisionResult[];
  readonly audits: readonly Audit[];
}

type Pending = { readonly report: Report } | { readonly step: Spawn | Deliver };

/** Applies one input to its session. @throws Rejection, or whatever a machine throws. */
export function deliver(stage: Stage, input: Input): Delivered {
  const post = new Delivery(stage);
  post.run(input);
  return post;
}

class Delivery implements Delivered {
  readonly changes: DraftChange[] = [];
  readonly answers: DecisionResult[] = [];
  readonly audits: Audit[] = [];
  readonly #stage: Stage;
  readonly #home: Address;
  readonly #records: SessionRecords;
  readonly #queue: Pending[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#home = sessionAddress(stage.workspace, stage.session);
    this.#records = new SessionRecords(stage.layer, this.#home);
  }

  run(input: Input): void {
    if (!this.#records.snapshot(SESSION)) this.#spawnSession(input);
    this.#hear(route(this.#scene(), input));
    for (let delivered = 0; delivered < this.#queue.length; delivered += 1) {
      if (delivered > DELIVERIES_MAX)
        throw new InvariantViolation(
          "ENDLESS_TURN",
          `A message to ${this.#home} led to more than ${DELIVERIES_MAX} deliveries.`,
          "Report this as a defect.",
        );
      const next = this.#queue[delivered];
      if (!next) continue;
      if ("report" in next) this.#hear(routeReport(this.#scene(), next.report));
      else if (next.step.do === "spawn") this.#spawn(next.step);
      else this.#send(next.step);
    }
    this.#records.keep();
  }

  #scene() {
    const { session: sessionId, at, channel, policy, digest } = this.#stage;
    const isTaken = this.#isTaken;
    return scene({ records: this.#records, sessionId, at, channel, policy, digest, isTaken });
  }

  #where(kind: AddressParts["kind"], id: AddressParts["id"]): AddressParts {
    const { workspace, session } = this.#stage;
    // The cast is safe: the id in a step belongs to the kind that the step names.
    return { workspace, session, kind, id } as AddressParts;
  }

  #named({ kind, id }: AddressParts): Name {
    return kind === "session" ? SESSION : `${kind}/${id}`;
  }

  #spawnSession(input: Input): void {
    const { session: id, workspace, source, at, policy, isUnbound } = this.#stage;
    if (["timer.fired", "waiter.gone", "assigned"].includes(input.type))
      throw new Rejection(`session ${id} is not known`);
    this.#settle(
      this.#home,
      this.#where("session", id),
      undefined,
      begin("session", { id, workspace, source, at, keepMs: policy.keepMs, ...(isUnbound && { isUnbound }) }),
    );
  }

  #hear({ event, rejection, isReuse }: Routed): void {
    if (rejection !== undefined) throw new Rejection(rejection, isReuse && ID_REUSED);
    this.#transition(this.#home, this.#where("session", this.#stage.session), event);
  }

  #send({ kind, id, event }: Deliver): void {
    this.#transition(childAddress(this.#home, kind, id), this.#where(kind, id), event);
  }

  #transition(address: Address, where: AddressParts, event: SessionEvent | Deliver["event"]): void {
    const before = this.#records.snapshot(this.#named(where));
    if (!before) throw new Rejection(`${address} is not known`);
    const moved = move(where.kind, before, event);
    if (!moved.legal) throw new Rejection(`${address} does not take "${event.type}" now`);
    this.#settle(address, where, before, moved);
  }

  #spawn({ kind, id, input }: Spawn): void {
    const address = childAddress(this.#home, kind, id);
    if (kind !== "call") this.#claim(kind, id, address);
    const where = this.#where(kind, id);
    if (this.#records.snapshot(this.#named(where))) throw new Rejection(`${address} exists already`);
    this.#settle(address, where, undefined, begin(kind, input));
  }

  /**
   * R3, I-07: within a workspace, the id of a request or an approval belongs to the session that used it first. @throws
   * Rejection if that is another session.
   */
  #claim(kind: Owned, id: string, address: Address): void {
    const owner = this.#ownerOf(kind, id);
    if (owner === undefined || owner === address) return;
    if (kind === "approval") throw new Rejection(differenceText(id, ["session"]), ID_REUSED);
    throw new Rejection(`${kind} ${id} belongs to ${owner}`);
  }

  readonly #isTaken = (id: RequestId): boolean => {
    const owner = this.#ownerOf("request", id);
    return owner !== undefined && owner !== childAddress(this.#home, "request", id);
  };

  #ownerOf(kind: Owned, id: string): Address | undefined {
    const { layer, workspace } = this.#stage;
    // The cast is safe: owner rows hold only addresses that the engine made.
    return layer.get(keys.owner(kind, id, workspace)) as Address | undefined;
  }

  #settle(address: Address, where: AddressParts, before: Snapshot | undefined, moved: Moved): void {
    const { layer } = this.#stage;
    this.#records.setSnapshot(this.#named(where), moved.snapshot);
    list(layer, where, address, before, moved.snapshot);
    const annotated = moved.effects.some((effect) => effect.type === "annotate");
    const batch = where.kind === "call" ? this.#batchOf(moved.snapshot) : undefined;
    this.changes.push(...changesOf(where, before, moved.snapshot, annotated, batch));
    for (const effect of moved.effects) this.#perform(address, effect);
  }

  #batchOf(snapshot: Snapshot) {
    return batchBooks.get(this.#records, (snapshot.context as CallContext).batchId);
  }

  #perform(address: Address, effect: Effect): void {
    switch (effect.type) {
      case "spawn":
      case "deliver":
        return void this.#queue.push({ step: effect.params });
      case "report":
        return void this.#queue.push({ report: effect.params });
      case "schedule":
        if (effect.params.at !== undefined)
          setAlarm(this.#stage.layer, address, effect.params.timer, effect.params.at);
        return;
      case "cancel":
        return setAlarm(this.#stage.layer, address, effect.params.timer, undefined);
      case "remove":
        return removeActor(this.#stage, this.#home, this.#records, effect.params);
      case "answer":
        return void this.answers.push(effect.params);
      case "audit":
        return void this.audits.push(effect.params);
      case "alias":
        this.#claim("approval", effect.params.id, childAddress(this.#home, "approval", effect.params.of));
        return listAlias(this.#stage.layer, this.#home, effect.params);
      case "annotate":
        return;
    }
  }
}

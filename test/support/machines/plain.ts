// Plain
// The same machines under XState itself: its own actor system spawns children and sends to them, without our host.
//
//   Owns:          what each named action does there: spawnChild, sendTo, or a note of what was asked for.
//   Does not own:  routing: that is the session's own, over records in memory.

import { type AnyActorRef, createActor, enqueueActions, sendTo } from "xstate";
import {
  approvalMachine,
  callMachine,
  type Input,
  type Policy,
  type Report,
  requestMachine,
  route,
  type Routed,
  routeReport,
  scene,
  type SessionId,
  sessionMachine,
  type Spawn,
  type Deliver,
  type WorkspaceId,
} from "../../../machines/index.ts";
import type { Snapshot } from "../../../runtime/rows/actors/actors.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { MemoryRecords } from "./memory-records.ts";

/** One message as an actor got it. */
export interface Message {
  readonly to: string;
  readonly event: { readonly type: string };
}

export const nameOf = (kind: string, id: string): string =>
  kind === "session" ? "session" : `${kind}/${id}`;

export class PlainSession {
  readonly messages: Message[] = [];
  readonly #records = new MemoryRecords();
  readonly #policy: Policy;
  readonly #actor: AnyActorRef;
  #now: { readonly at: number; readonly channel: string };

  constructor(policy: Policy, at: number) {
    this.#policy = policy;
    this.#now = { at, channel: "" };
    const id = "s1" as SessionId;
    const workspace = "shop-000000" as WorkspaceId;
    const actor = createActor(this.#machine(), {
      input: { id, workspace, source: "test", keepMs: policy.keepMs, at },
      inspect: (seen) => {
        if (seen.type !== "@xstate.event" || seen.event.type.startsWith("xstate.")) return;
        const to = seen.actorRef === actor ? "session" : (seen.actorRef as AnyActorRef).id;
        this.messages.push({ to, event: seen.event });
      },
    });
    this.#actor = actor.start();
  }

  hear(input: Input, channel: string, at: number): void {
    this.#now = { at, channel };
    this.#actor.send(this.#told(route(this.#scene(), input)));
  }

  /** Every actor at rest, by name. */
  get snapshots(): ReadonlyMap<string, Snapshot> {
    const { children, ...own } = this.#actor.getSnapshot() as Snapshot & {
      readonly children: Readonly<Record<string, AnyActorRef>>;
    };
    const all = Object.entries(children).map(
      ([name, child]) => [name, child.getSnapshot() as Snapshot] as const,
    );
    return new Map([["session", own], ...all]);
  }

  #scene() {
    const { at, channel } = this.#now;
    const sessionId = "s1" as SessionId;
    return scene({ records: this.#records, sessionId, at, channel, policy: this.#policy, digest: digestId });
  }

  #told({ event, rejection }: Routed) {
    if (rejection !== undefined)
      throw new Error(`The host took what the plain session turns away: ${rejection}`);
    return event;
  }

  #machine() {
    const report = sendTo(
      ({ self }: { self: AnyActorRef }) => self._parent ?? self,
      (_: unknown, said: unknown) => this.#told(routeReport(this.#scene(), said as Report)),
    );
    // Actions are typed by the machine they stand in; here they serve three machines alike.
    const told = { actions: { report } } as never;
    const actors = {
      request: requestMachine.provide(told),
      call: callMachine.provide(told),
      approval: approvalMachine.provide(told),
    };
    const spawn = enqueueActions(({ enqueue }, { kind, id, input }: Spawn) => {
      enqueue.spawnChild(actors[kind] as never, { id: nameOf(kind, id), input });
    });
    const deliver = sendTo(
      (_: unknown, { kind, id }: Deliver) => nameOf(kind, id),
      (_: unknown, { event }: Deliver) => event,
    );
    return sessionMachine.provide({ actors, actions: { spawn, deliver } } as never);
  }
}

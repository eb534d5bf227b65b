// Session run
// Plays one session input by input on an empty base: everything is real but the journal and the store.
//
//   Owns:          reading back the state of each actor.
//   Does not own:  which inputs (generate), the right result (model, invariants).

import {
  type Address,
  type ApprovalContext,
  type CallContext,
  childAddress,
  type ChildKind,
  DEFAULT_POLICY,
  type Input,
  type Policy,
  type RequestContext,
  sessionAddress,
  type SessionContext,
  type SessionId,
  type WorkspaceId,
} from "../../../machines/index.ts";
import { actorRow } from "../../../runtime/rows/actors/actor-rows.ts";
import type { Snapshot } from "../../../runtime/rows/actors/actors.ts";
import { type Delivered, deliver, Rejection } from "../../../runtime/turn/delivery.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { freshMeta } from "../../../runtime/rows/meta.ts";
import { Layer } from "../../../runtime/rows/overlay.ts";
import { SessionRecords } from "../../../runtime/rows/session-records.ts";
import { regionOf } from "../../../runtime/rows/views.ts";
import type { Step } from "./script.ts";

export const WORKSPACE = "shop-000000" as WorkspaceId;
export const SESSION = "s1" as SessionId;
export const START = 1_800_000_000_000;

export interface Heard extends Partial<Delivered> {
  readonly rejection?: string;
}

export interface Seen<Context> {
  readonly id: string;
  readonly state: string;
  readonly context: Context;
}
export type SeenCall = Seen<CallContext> & { readonly approval: string };

export interface RunOptions {
  readonly policy?: Partial<Policy>;
  readonly session?: SessionId;
  readonly layer?: Layer;
}

/** Of an empty store. */
export function emptyLayer(): Layer {
  const layer = new Layer({ get: () => undefined, keys: () => [] });
  layer.set(keys.meta, freshMeta("test"));
  return layer;
}

export class SessionRun {
  readonly home: Address;
  readonly layer: Layer;
  readonly policy: Policy;
  readonly #session: SessionId;
  /** Ids in the order their actors were created. */
  readonly #made: Record<ChildKind, string[]> = { request: [], call: [], approval: [] };
  at = START;

  constructor({ policy = {}, session = SESSION, layer = emptyLayer() }: RunOptions = {}) {
    this.policy = { ...DEFAULT_POLICY, ...policy };
    this.layer = layer;
    this.#session = session;
    this.home = sessionAddress(WORKSPACE, session);
  }

  /** One input, 1 ms after the last. @throws any error but a rejection. */
  hear(input: Input, channel = "test.hook"): Heard {
    this.at += 1;
    const { layer, policy, at } = this;
    const where = { layer, workspace: WORKSPACE, session: this.#session, at };
    const stage = { ...where, source: "test", channel, policy, digest: digestId };
    try {
      const heard = layer.attempt(() => deliver(stage, input));
      for (const { entity, id, from } of heard.changes) {
        if (from !== null) continue;
        if (entity === "toolcall") this.#made.call.push(id);
        if (entity === "request" || entity === "approval") this.#made[entity].push(id);
      }
      return heard;
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      return { rejection: error.message };
    }
  }

  /** A step of a generated session; undefined if there is nothing yet that it could be about. */
  take(step: Step): Heard | undefined {
    const input = this.inputOf(step);
    if (!input) return undefined;
    if ("hang" in step) this.at += step.afterMs;
    if ("quiet" in step) this.at += step.quiet;
    if ("orphans" in step) this.at += this.policy.orphanMs;
    return this.hear(input, "hear" in step ? step.channel : "own");
  }

  /** The input that a step stands for now. */
  inputOf(step: Step): Input | undefined {
    if ("hear" in step) return step.hear;
    const timer = { type: "timer.fired", generation: 1 } as const;
    if ("orphans" in step) return this.session && { ...timer, address: this.home, timer: "orphans" };
    if ("quiet" in step) return this.session && { ...timer, address: this.home, timer: "idle" };
    const { requests, calls, approvals } = this;
    if ("forgo" in step) {
      const call = calls[step.forgo % Math.max(1, calls.length)];
      return call && { ...timer, address: childAddress(this.home, "call", call.id), timer: "deferral" };
    }
    if ("hang" in step) {
      const request = requests[step.hang % Math.max(1, requests.length)];
      return request && { ...timer, address: childAddress(this.home, "request", request.id), timer: "hung" };
    }
    const nth = "decide" in step ? step.decide : step.expire;
    const approval = approvals[nth % Math.max(1, approvals.length)];
    if (!approval) return undefined;
    if ("expire" in step)
      return { ...timer, address: childAddress(this.home, "approval", approval.id), timer: "deadline" };
    const { decision, hash, interrupt } = step;
    const shown = hash === "shown" ? approval.context.input?.hash : "another";
    const approvalId = approval.context.id;
    const inputHash = hash === "none" || shown === undefined ? {} : { inputHash: shown };
    return { type: "decision", approvalId, decision, interrupt, by: "local:ann", ...inputHash };
  }

  /** Inputs that must all be accepted. */
  tell(...inputs: readonly Input[]): this {
    for (const input of inputs) {
      const { rejection } = this.hear(input);
      if (rejection !== undefined) throw new Error(`${input.type} was turned away: ${rejection}`);
    }
    return this;
  }

  get records(): SessionRecords {
    return new SessionRecords(this.layer, this.home);
  }

  snapshot(address: Address): Snapshot | undefined {
    return actorRow(this.layer, address)?.snapshot;
  }

  get session(): Seen<SessionContext> | undefined {
    const snapshot = this.snapshot(this.home);
    return (
      snapshot && {
        id: this.#session,
        state: regionOf(snapshot.value),
        context: snapshot.context as SessionContext,
      }
    );
  }

  get calls(): readonly SeenCall[] {
    return this.#made.call.flatMap((id) => {
      const snapshot = this.snapshot(childAddress(this.home, "call", id));
      if (!snapshot) return [];
      const state = regionOf(snapshot.value, "execution");
      const approval = regionOf(snapshot.value, "approval");
      return [{ id, state, approval, context: snapshot.context as CallContext }];
    });
  }

  get requests(): readonly Seen<RequestContext>[] {
    return this.#made.request.flatMap((id) => {
      const snapshot = this.snapshot(childAddress(this.home, "request", id));
      return snapshot
        ? [
            {
              id,
              state: regionOf(snapshot.value, "lifecycle"),
              context: snapshot.context as RequestContext,
            },
          ]
        : [];
    });
  }

  get approvals(): readonly Seen<ApprovalContext>[] {
    return this.#made.approval.flatMap((id) => {
      const snapshot = this.snapshot(childAddress(this.home, "approval", id));
      return snapshot
        ? [{ id, state: regionOf(snapshot.value), context: snapshot.context as ApprovalContext }]
        : [];
    });
  }

  /** `<id> <state> <cause>` of each call, in the order of first sight. */
  get ends(): readonly string[] {
    return this.calls.map(({ id, state, context: { denial, missing } }) => {
      const cause =
        state === "denied" ? denial?.cause : state === "missing-post" ? missing?.cause : undefined;
      return [id, state, cause].filter((part) => part !== undefined).join(" ");
    });
  }
}

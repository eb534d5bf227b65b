// Actors
// Machines as virtual actors: a snapshot goes in, the next snapshot and its effects come out.
//
//   Owns:          the ActorScope, what a machine may emit, storing and restoring a snapshot.
//   Does not own:  addresses, delivery order (turn), what else stands in an actor's row (actor-rows).
//
// ACTORS-1. A collected action outside the closed union, or a status other than active, fails the turn.
// ACTORS-2. An event is illegal if its first microstep selects no transition; the snapshot is then unchanged.
// ACTORS-3. A restored snapshot is the stored one: the resolved value equals the stored value, the version is known.

import { isDeepStrictEqual } from "node:util";
import {
  type ActorKind,
  approvalMachine,
  callMachine,
  DEFAULT_POLICY,
  type Deliver,
  EFFECT_NAMES,
  type EffectName,
  requestMachine,
  sessionMachine,
  type Spawn,
} from "../../machines/index.ts";
import { InvariantViolation } from "../errors.ts";
import { checkedContext } from "./input-damage.ts";
import type {
  Alias,
  Annotation,
  DecisionResult,
  Audit,
  Remove,
  Report,
  RequestContext,
  Schedule,
} from "../../machines/index.ts";

/** What a machine asked for, in order. */
export type Effect =
  | { readonly type: "spawn"; readonly params: Spawn }
  | { readonly type: "deliver"; readonly params: Deliver }
  | { readonly type: "remove"; readonly params: Remove }
  | { readonly type: "report"; readonly params: Report }
  | { readonly type: "schedule"; readonly params: Schedule }
  | { readonly type: "cancel"; readonly params: { readonly timer: string } }
  | { readonly type: "annotate"; readonly params: Annotation }
  | { readonly type: "answer"; readonly params: DecisionResult }
  | { readonly type: "audit"; readonly params: Audit }
  | { readonly type: "alias"; readonly params: Alias };

export type StateValue = string | { readonly [region: string]: StateValue };

/** An actor at rest. */
export interface Snapshot {
  readonly value: StateValue;
  readonly context: object;
  readonly status: string;
  readonly machine: { readonly id: string; readonly version: string | undefined };
}

export interface Moved {
  readonly snapshot: Snapshot;
  readonly effects: readonly Effect[];
  readonly legal: boolean;
}

interface MachineEvent {
  readonly type: string;
}

/** The part of XState's machine that hosting needs; XState's own types tie each machine to its own events. */
interface Logic {
  readonly version: string | undefined;
  transition(snapshot: Snapshot, event: MachineEvent, scope: object): Snapshot;
  getInitialSnapshot(scope: object, input: object): Snapshot;
  resolveState(state: { value: StateValue; context: object; status: "active" }): Snapshot;
}

// XState types each machine by its events; the turn delivers by kind, and the types of Step pair kinds with events.
const hosted = (machine: unknown): Logic => {
  const logic = machine as Logic & { options: { maxIterations: number } };
  logic.options.maxIterations = MAX_ITERATIONS;
  return logic;
};
const MAX_ITERATIONS = 100;

const MACHINES: Readonly<Record<ActorKind, Logic>> = {
  session: hosted(sessionMachine),
  request: hosted(requestMachine),
  call: hosted(callMachine),
  approval: hosted(approvalMachine),
};

/** For each kind, how a snapshot of an older version becomes one of the next. */
export const upcast: Readonly<Record<ActorKind, Readonly<Record<string, (stored: Stored) => Stored>>>> = {
  session: {
    // The action that carries out a plan got a name.
    "1": (stored) => ({ ...stored, version: "2" }),
    // An idle session got a deadline: the next sweep sets those that are missing (unended).
    "2": (stored) => ({ ...stored, version: "3" }),
  },
  request: { "1": withEnd },
  // A deferred call got a deadline.
  call: {
    "1": (stored) => ({ ...stored, version: "2" }),
    // A denial may be inferred, and taken back: no older call has such a one.
    "2": (stored) => ({ ...stored, version: "3" }),
    // A denial that is only foreseen may be taken back: no older call has one that says so.
    "3": (stored) => ({ ...stored, version: "4" }),
    // A call without a result may be opened again.
    "4": (stored) => ({ ...stored, version: "5" }),
  },
  approval: {
    // What becomes of an answer is learnt: nothing of it is known of an older one.
    "1": (stored) => ({ ...stored, version: "2" }),
    // A withdrawn approval learns how it was answered: of an older one that is left as it is.
    "2": (stored) => ({ ...stored, version: "3" }),
  },
};

/** A request that has not begun, and has no limit of its own, got a deadline: the next sweep sets it (unended). */
function withEnd(stored: Stored): Stored {
  const context = stored.context as RequestContext;
  const { lifecycle } = stored.value as { readonly lifecycle?: StateValue };
  const isBegun = lifecycle !== "created" && lifecycle !== "queued";
  if (isBegun || context.timeoutAt !== undefined) return { ...stored, version: "2" };
  const { unbegunMs } = DEFAULT_POLICY;
  return { ...stored, version: "2", context: { ...context, unbegunMs } satisfies RequestContext };
}

const EFFECTS: ReadonlySet<string> = new Set<EffectName>(EFFECT_NAMES);

let collected: Effect[] = [];
let microsteps = 0;
let selected = 0;

const self = { _processingStatus: 1, id: "actor", sessionId: "actor", send: () => undefined };
const scope = {
  self,
  id: "actor",
  sessionId: "actor",
  logger: () => undefined,
  system: {
    _sendInspectionEvent(event: { type: string; _transitions?: readonly unknown[] }) {
      if (event.type !== "@xstate.microstep") return;
      if (microsteps === 0) selected = event._transitions?.length ?? 0;
      microsteps += 1;
    },
  },
  defer: () => {
    throw new InvariantViolation("DEFERRED", "A machine deferred an action.", "Report this as a defect.");
  },
  emit: () => undefined,
  stopChild: () => undefined,
  actionExecutor(action: { type: string; params: unknown }) {
    if (!EFFECTS.has(action.type)) {
      throw new InvariantViolation(
        "UNKNOWN_EFFECT",
        `A machine asked for "${action.type}".`,
        "Report this as a defect.",
      );
    }
    // The names are those of the union; each machine types its parameters by them.
    collected.push({ type: action.type, params: action.params } as Effect);
  },
};

function run(step: () => Snapshot): Moved {
  collected = [];
  microsteps = 0;
  selected = 0;
  const snapshot = step();
  if (snapshot.status !== "active") {
    const cause = (snapshot as { error?: unknown }).error;
    throw new InvariantViolation(
      "NOT_ACTIVE",
      `A machine became ${snapshot.status}.`,
      "Report this as a defect.",
      { cause },
    );
  }
  return { snapshot, effects: collected, legal: microsteps === 0 || selected > 0 };
}

/** The first snapshot of a new actor. */
export function begin(kind: ActorKind, input: object): Moved {
  return run(() => MACHINES[kind].getInitialSnapshot(scope, input));
}

/** Sends one event to one machine, without side effects. @throws whatever a guard or action throws. */
export function move(kind: ActorKind, snapshot: Snapshot, event: MachineEvent): Moved {
  return run(() => MACHINES[kind].transition(snapshot, event, scope));
}

export interface Stored {
  readonly machine: ActorKind;
  readonly version: string;
  readonly value: StateValue;
  readonly context: object;
}

/** The stored form of a snapshot. */
export function persist({ machine: { id: machine, version = "" }, value, context }: Snapshot): Stored {
  // The machines are hosted under the ids of their kinds.
  return { machine: machine as ActorKind, version, value, context };
}

/** @throws InvariantViolation if the stored value is not a snapshot that this code can restore (ACTORS-3). */
export function restore(kind: ActorKind, address: string, { value, context }: Stored): Snapshot {
  const refuse = refusalFor(address);
  let snapshot: Snapshot;
  try {
    snapshot = MACHINES[kind].resolveState({ value, context, status: "active" });
  } catch (cause) {
    throw refuse("names a state this code does not know", cause);
  }
  if (!isDeepStrictEqual(snapshot.value, value)) throw refuse("has lost part of its state");
  return snapshot;
}

/**
 * A stored actor for display: upcast to this version, but not checked against its machine, because that check costs
 * more than all the rest. Its inputs are checked (INPUT-DAMAGE-1).
 * @throws InvariantViolation
 */
export function glimpse(kind: ActorKind, address: string, text: string): Stored {
  const refuse = refusalFor(address);
  let stored = parse(text, refuse);
  const { version } = MACHINES[kind];
  while (stored.version !== version) {
    const next = upcast[kind][stored.version];
    if (!next) throw refuse(`has version ${stored.version}, this code knows ${version ?? "none"}`);
    stored = next(stored);
  }
  if (stored.machine !== kind) throw refuse(`is of a ${stored.machine}, not of a ${kind}`);
  return { ...stored, context: checkedContext(kind, stored.context) };
}

const refusalFor =
  (address: string) =>
  (why: string, cause?: unknown): InvariantViolation =>
    new InvariantViolation(
      "BAD_SNAPSHOT",
      `The snapshot of ${address} ${why}.`,
      "The session is stopped; export it and report this.",
      { cause },
    );

function parse(text: string, refuse: (why: string, cause?: unknown) => Error): Stored {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (cause) {
    throw refuse("is not JSON", cause);
  }
  const known = stored as Readonly<Record<keyof Stored, unknown>> | null;
  if (
    typeof known !== "object" ||
    known === null ||
    typeof known.version !== "string" ||
    typeof known.context !== "object" ||
    known.context === null
  ) {
    throw refuse("has not the shape of one");
  }
  return stored as Stored;
}

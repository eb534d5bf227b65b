// Actors
// Runs the machines: for a snapshot and an event, returns the next snapshot and the effects.
//
//   Owns:          which machines there are, storing and restoring a snapshot.
//   Does not own:  the steps of a machine (machine-table), the order of deliveries (turn), the rest of an actor's row
//                  (actor-rows).
//
// ACTORS-2. An event is illegal if the machine has no transition for it. An illegal event does not change the snapshot.
// ACTORS-4. If the first snapshot of an actor cannot be made, the turn fails.
// ACTORS-5. A context has no key whose value is undefined. So the keys have the same order in memory as in the actor's row.
// ACTORS-3. A restored snapshot equals the snapshot that was stored. If a stored snapshot has a state that its machine does not
//     know, or an unknown version, restoring it throws.

import type { AnyStateMachine } from "xstate";
import {
  type ActorKind,
  approvalMachine,
  callMachine,
  DEFAULT_POLICY,
  type Effect,
  type RequestContext,
  requestMachine,
  sessionMachine,
} from "../../../machines/index.ts";
import { InvariantViolation } from "../../errors/errors.ts";
import { checkedContext } from "./input-damage.ts";
import type { MachineEvent } from "./machine-actions.ts";
import { MachineTable, type StateValue, type Step } from "./machine-table.ts";

export type { StateValue } from "./machine-table.ts";

export interface Snapshot {
  readonly value: StateValue;
  readonly context: object;
  readonly machine: { readonly id: string; readonly version: string | undefined };
}

export interface Moved {
  readonly snapshot: Snapshot;
  readonly effects: readonly Effect[];
  readonly legal: boolean;
}

interface Hosted {
  readonly machine: Snapshot["machine"];
  readonly table: MachineTable;
  readonly contextOf: (given: { readonly input: object }) => object;
}

const hosted = (machine: AnyStateMachine): Hosted => ({
  machine: { id: machine.id, version: machine.version },
  table: new MachineTable(machine),
  // The cast is safe: in each machine, `context` is a function that makes the context from the input.
  contextOf: machine.config.context as Hosted["contextOf"],
});

const MACHINES: Readonly<Record<ActorKind, Hosted>> = {
  session: hosted(sessionMachine),
  request: hosted(requestMachine),
  call: hosted(callMachine),
  approval: hosted(approvalMachine),
};

const next = (stored: Stored): Stored => ({ ...stored, version: String(Number(stored.version) + 1) });

/**
 * For each kind of actor and each older version of its machine, converts a snapshot of that version to the next one. A row keeps
 * the version of its last change, so a store may still have snapshots of builds before release 0.1.0.
 */
export const upcast: Readonly<Record<ActorKind, Readonly<Record<string, (stored: Stored) => Stored>>>> = {
  // Only the version's number changes. Since version 2, the action that carries out a plan has a name. Since version 3, an idle
  // session has a deadline, which no conversion sets: an engine refuses a store in which one may be missing (MIGRATION-6).
  session: { "1": next, "2": next },
  request: { "1": withEnd },
  // Only the version's number changes, because each version added something that no older call has: 2 the deadline of a
  // deferred call, 3 an inferred denial, 4 a predicted denial that may be taken back, 5 a call that is opened again, 6 a
  // failure that the report of a stop replaces.
  call: { "1": next, "2": next, "3": next, "4": next, "5": next },
  // As for calls. The versions of the approval machine added: 2 whether the answer arrived, 3 how a withdrawn approval was
  // answered, 4 demands, 5 assignments.
  approval: { "1": next, "2": next, "3": next, "4": next },
};

/**
 * Converts a request of version 1. Since version 2, a request that has not begun and has no limit of its own has a deadline,
 * whose length its context names. The deadline itself is never missing: an engine refuses a store in which it may be
 * (MIGRATION-6).
 */
function withEnd(stored: Stored): Stored {
  const context = stored.context as RequestContext;
  const { lifecycle } = stored.value as { readonly lifecycle?: StateValue };
  const isBegun = lifecycle !== "created" && lifecycle !== "queued";
  if (isBegun || context.timeoutAt !== undefined) return next(stored);
  const { unbegunMs } = DEFAULT_POLICY;
  return { ...next(stored), context: { ...context, unbegunMs } satisfies RequestContext };
}

/**
 * Makes the first snapshot of a new actor.
 * @throws InvariantViolation NOT_ACTIVE for an input from which the machine can make no context.
 */
export function begin(kind: ActorKind, input: object): Moved {
  const { machine, table, contextOf } = MACHINES[kind];
  let context: object;
  try {
    context = contextOf({ input });
  } catch (cause) {
    const what = "The engine stopped the session; export the session and report this.";
    throw new InvariantViolation("NOT_ACTIVE", `The engine cannot start a new ${kind}.`, what, { cause });
  }
  const { step, event } = table.begin(input);
  return taken(machine, step, context, event);
}

/** Sends one event to one machine, without side effects. @throws the error of a guard or action. */
export function move(kind: ActorKind, snapshot: Snapshot, event: MachineEvent): Moved {
  const step = MACHINES[kind].table.step(snapshot.value, snapshot.context, event);
  if (step.actions.length === 0 && step.value === snapshot.value)
    return { snapshot, effects: [], legal: step.legal };
  return taken(snapshot.machine, step, snapshot.context, event);
}

function taken(
  machine: Snapshot["machine"],
  { value, actions, legal }: Step,
  before: object,
  event: MachineEvent,
): Moved {
  const effects: Effect[] = [];
  let context = before;
  for (const action of actions) context = action({ context, event }, effects);
  return { snapshot: { value, context: valued(context), machine }, effects, legal };
}

/**
 * Removes keys without a value (ACTORS-5). A stored row lacks such keys. If memory kept them, a key that later gets a value
 * would have another place in the row than after a restart, and the rows of two engines would differ (I-26).
 */
function valued(context: object): object {
  for (const value of Object.values(context)) {
    if (value !== undefined) continue;
    return Object.fromEntries(Object.entries(context).filter(([, each]) => each !== undefined));
  }
  return context;
}

export interface Stored {
  readonly machine: ActorKind;
  readonly version: string;
  readonly value: StateValue;
  readonly context: object;
}

export function persist({ machine: { id: machine, version = "" }, value, context }: Snapshot): Stored {
  // The cast is safe: the id of each machine is the kind of its actors.
  return { machine: machine as ActorKind, version, value, context };
}

/** @throws InvariantViolation for a stored value that cannot be restored as a snapshot (ACTORS-3). */
export function restore(kind: ActorKind, address: string, { value, context }: Stored): Snapshot {
  const { machine, table } = MACHINES[kind];
  try {
    return { value: table.known(value), context, machine };
  } catch (cause) {
    throw refusalFor(address)("names an unknown state, or an incomplete one", cause);
  }
}

/**
 * Decodes an actor. Checks its inputs, but not its state (`restore`), because that would cost more than all the rest.
 * @throws InvariantViolation
 */
export function glimpse(kind: ActorKind, address: string, text: string): Stored {
  const refuse = refusalFor(address);
  let stored = parse(text, refuse);
  const { version } = MACHINES[kind].machine;
  while (stored.version !== version) {
    const convert = upcast[kind][stored.version];
    if (!convert) throw refuse(`has version ${stored.version}, this code knows ${version ?? "none"}`);
    stored = convert(stored);
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
      "The session is stopped; export the session and report this.",
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
    throw refuse("does not have the shape of a snapshot");
  }
  return stored as Stored;
}

// Machine table
// Holds a machine as a table: for each state and event, which guards are called, which actions run, which state follows.
//
//   Owns:          filling the table of a machine's steps, and finding a step in the table.
//   Does not own:  what a guard or an action does (machines, machine-actions).
//   Decided in:    docs/decisions/0051-machines-as-tables.md.
//
// MACHINE-TABLE-1. XState itself computes the steps of the table, on a copy of the machine in which each action is a number: for
//     each state and event, once for each combination of the guards' answers. So this code does not depend on the order in which
//     XState runs exits, actions and entries.
// MACHINE-TABLE-2. A machine that can do more after an event than a table can show is refused: a machine with delays, children,
//     events that it sends itself, or final states.

import { isDeepStrictEqual } from "node:util";
import { type AnyStateMachine, createMachine, getInitialMicrosteps, getMicrosteps } from "xstate";
import type { Fields } from "../../../machines/json.ts";
import { InvariantViolation } from "../../errors/errors.ts";
import {
  type Action,
  actionOf,
  type Implementation,
  type MachineEvent,
  type Named,
} from "./machine-actions.ts";

export type StateValue = string | { readonly [region: string]: StateValue };

export type Guard = (args: { readonly context: object; readonly event: MachineEvent }) => boolean;

export interface Step {
  /** The state's value. All steps to the same state have the same object. */
  readonly value: StateValue;
  readonly actions: readonly Action[];
  readonly legal: boolean;
}

interface Fork {
  readonly guard: Guard;
  readonly yes: Fork | Step;
  readonly no: Fork | Step;
}

interface State {
  readonly value: StateValue;
  /** The steps from this state, by the type of the event. A step is computed when an event of its type first comes. */
  readonly steps: Map<string, Fork | Step>;
}

/**
 * The part of XState's snapshots that this file reads. It is typed here, because for an unknown machine XState types it as `any`.
 */
type Resolved = Pick<State, "value">;

const OF_A_STATE = new Set([
  "id",
  "version",
  "type",
  "context",
  "initial",
  "states",
  "on",
  "entry",
  "exit",
  "schemas",
  "tags",
]);
const OF_A_TRANSITION = new Set(["target", "guard", "actions"]);
const INIT = "xstate.init";

export class MachineTable {
  readonly #machine: AnyStateMachine;
  readonly #copy: AnyStateMachine;
  readonly #actions: Action[] = [];
  readonly #states = new Map<StateValue, State>();
  readonly #byText = new Map<string, State>();
  /**
   * While a step is computed: the answers that the guards of `#copy` give, in the order of their calls. `#asked`: the names of
   * the guards that were called so far.
   */
  #answers: readonly boolean[] = [];
  #asked: string[] = [];
  readonly #first: Step;

  /** @throws InvariantViolation for a machine that a table cannot hold (MACHINE-TABLE-2). */
  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
    const guards = Object.keys(machine.implementations.guards as object).map((name) => [
      name,
      () => this.#answers[this.#asked.push(name) - 1] ?? false,
    ]);
    this.#copy = createMachine(
      { ...this.#numbered(machine.config as Fields), context: {} },
      { guards: Object.fromEntries(guards) as object },
    );
    this.#first = this.#step(getInitialMicrosteps(this.#copy), true);
  }

  begin(input: object): { readonly step: Step; readonly event: MachineEvent } {
    return { step: this.#first, event: { type: INIT, input } as MachineEvent };
  }

  step(value: StateValue, context: object, event: MachineEvent): Step {
    const { steps, value: known } = this.#state(value);
    let found = steps.get(event.type);
    if (!found) steps.set(event.type, (found = this.#explored(known, event.type, [])));
    while ("guard" in found) found = found.guard({ context, event }) ? found.yes : found.no;
    return found;
  }

  /** @returns the table's own object for a state. @throws for a state that is unknown or incomplete. */
  known(value: StateValue): StateValue {
    return this.#state(value).value;
  }

  #state(value: StateValue): State {
    return this.#states.get(value) ?? this.#read(value);
  }

  #read(value: StateValue): State {
    const known = this.#byText.get(JSON.stringify(value));
    if (known) return known;
    const { value: whole } = this.#copy.resolveState({ value, context: {} }) as Resolved;
    if (!isDeepStrictEqual(whole, value)) throw refusal(this.#machine.id, "has no such state");
    const state = { value: whole, steps: new Map<string, Fork | Step>() };
    this.#byText.set(JSON.stringify(whole), state);
    this.#states.set(state.value, state);
    return state;
  }

  #explored(value: StateValue, type: string, answers: readonly boolean[]): Fork | Step {
    const from = this.#copy.resolveState({ value, context: {} });
    const [steps] = this.#answering(answers, () => getMicrosteps(this.#copy, from, { type }));
    const name = this.#asked[answers.length];
    if (name === undefined) {
      const [selected] = this.#answering(answers, () => this.#copy.getTransitionData(from, { type }));
      return this.#step(steps, selected.length > 0);
    }
    const guard = (this.#machine.implementations.guards as Record<string, Guard>)[name];
    if (!guard) throw refusal(this.#machine.id, `has no guard ${name}`);
    const [yes, no] = [true, false].map((answer) => this.#explored(value, type, [...answers, answer]));
    return { guard, yes, no } as Fork;
  }

  #answering<T>(answers: readonly boolean[], ask: () => T): readonly [T] {
    this.#answers = answers;
    this.#asked = [];
    return [ask()];
  }

  #step(microsteps: ReturnType<typeof getMicrosteps>, legal: boolean): Step {
    const last = microsteps.at(-1);
    if (!last || microsteps.length > 1) throw refusal(this.#machine.id, "takes several steps for an event");
    const [{ value }, asked] = last as readonly [Resolved, (typeof last)[1]];
    const actions = asked.map(({ type }) => this.#actions[Number(type)] as Action);
    return { value: this.#state(value).value, actions, legal };
  }

  #numbered(node: Fields): Fields {
    for (const key of Object.keys(node))
      if (!OF_A_STATE.has(key)) throw refusal(this.#machine.id, `has a state with "${key}"`);
    if (node["type"] === "final" || node["type"] === "history")
      throw refusal(this.#machine.id, `has a state of type ${node["type"]}`);
    const { states, on, entry, exit } = node;
    return {
      ...node,
      entry: this.#numbers(entry),
      exit: this.#numbers(exit),
      ...(on !== undefined && { on: mapped(on, (all) => listed(all).map((each) => this.#transition(each))) }),
      ...(states !== undefined && { states: mapped(states, (each) => this.#numbered(each as Fields)) }),
    };
  }

  #transition(given: unknown): Fields {
    const transition = given as Fields;
    for (const key of Object.keys(transition))
      if (!OF_A_TRANSITION.has(key)) throw refusal(this.#machine.id, `has a transition with "${key}"`);
    const { guard, actions } = transition;
    if (guard !== undefined && typeof guard !== "string")
      throw refusal(this.#machine.id, "has a guard without a name");
    return { ...transition, actions: this.#numbers(actions) };
  }

  #numbers(actions: unknown): readonly string[] {
    return listed(actions).map((action) => {
      const named = action as Named;
      const name = typeof named === "string" ? named : named.type;
      const all = this.#machine.implementations.actions as Record<string, Implementation>;
      return String(this.#actions.push(actionOf(named, all[name])) - 1);
    });
  }
}

const listed = (some: unknown): readonly unknown[] =>
  some === undefined ? [] : Array.isArray(some) ? (some as readonly unknown[]) : [some];

const mapped = (fields: unknown, map: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields as object).map(([key, value]) => [key, map(value)]));

const refusal = (id: string, why: string): InvariantViolation =>
  new InvariantViolation("NOT_A_TABLE", `The machine "${id}" ${why}.`, "Report this as a defect.");

// Machine table
// The table does what XState does, step by step; a machine that is more than a table is refused.

import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assign, createMachine, initialTransition, raise, setup, transition } from "xstate";
import type { ActorKind } from "../../../../machines/index.ts";
import { begin, move, type Snapshot } from "../../../../runtime/rows/actors/actors.ts";
import { actionOf } from "../../../../runtime/rows/actors/machine-actions.ts";
import { MachineTable } from "../../../../runtime/rows/actors/machine-table.ts";
import { type Event, EVENTS, INPUTS, MACHINES } from "../../../support/machines/graph.ts";
import { holds } from "../../../support/properties/property.ts";

const FILE = "test/runtime/rows/actors/machine-table.test.ts";
const HISTORIES = 2_500;

const denials = fc
  .record({
    cause: fc.constantFrom("direct", "cascade", "rule", "hook", "expired", "inferred"),
    predicted: fc.boolean(),
    by: fc.constantFrom("ann", "client"),
    revisable: fc.constantFrom({}, { revisable: true }),
  })
  .map(({ revisable, ...denial }) => ({ ...denial, ...revisable }));

/** What only guards and actions tell apart, beside the samples of the graph. */
const MORE: Readonly<Record<ActorKind, fc.Arbitrary<Event>>> = {
  session: fc.record({
    ...{ type: fc.constantFrom("began", "worked", "reported", "ended", "idled"), what: fc.constant("test") },
    steps: fc.constantFrom(
      [],
      [{ do: "answer", answer: { approvalId: "a1", result: "refused" } }],
      [
        { do: "spawn", kind: "request", id: "r1", input: {} },
        { do: "alias", alias: { id: "a2", of: "a1" } },
      ],
    ),
    timers: fc.constantFrom(
      [],
      [
        { timer: "idle", at: undefined },
        { timer: "hung", at: 7 },
      ],
    ),
    removals: fc.constantFrom([], [{ kind: "call", id: "c1" }]),
    facts: fc.constantFrom({}, { title: "A title" }),
    counts: fc.record({ openRequests: fc.nat(1), pendingApprovals: fc.nat(1) }),
    ...{ revives: fc.boolean(), idleAt: fc.nat(20) },
  }),
  request: fc.record({
    type: fc.constant("overdue"),
    ...{ timer: fc.constantFrom("hung", "timeout"), idleSince: fc.nat(20) },
  }),
  call: fc.oneof(
    fc.record({
      type: fc.constantFrom("denied", "disapproved", "lapsed"),
      denial: denials,
      by: fc.constant("ann"),
    }),
    fc.record({
      type: fc.constant("missed"),
      cause: fc.constantFrom("interrupted", "unreported", "deferred"),
      evidence: fc.constantFrom("result", "loss", "batch", "time-limit", "stop"),
    }),
    fc.constant({ type: "failed", error: "no", evidence: "batch" }),
  ),
  approval: fc.record({
    type: fc.constantFrom("decided", "answered", "withdrawn"),
    decision: fc.constantFrom("approve", "deny"),
    inputHash: fc.constantFrom("h1", "h2", undefined),
    ...{ by: fc.constantFrom("ann", "elsewhere"), outcome: fc.constantFrom("approved", "denied", "unknown") },
  }),
};

/** Of steps that both take from the same state: how the table's differs from XState's; undefined where it does not. */
function difference(kind: ActorKind, history: readonly Event[]): string | undefined {
  const machine = MACHINES[kind];
  let [theirs, asked] = initialTransition(machine, INPUTS[kind]);
  let ours = begin(kind, INPUTS[kind]);
  for (const [index, event] of [undefined, ...history].entries()) {
    if (event) {
      const selected = machine.getTransitionData(theirs, event).length > 0;
      [theirs, asked] = transition(machine, theirs, event);
      ours = move(kind, ours.snapshot, event);
      if (ours.legal !== selected) return `${index}: ${event.type} is legal: ${ours.legal}`;
    }
    const { value: theirValue, context: theirContext } = theirs as Pick<Snapshot, "value" | "context">;
    // A row keeps no key without a value (ACTORS-5).
    const context = Object.fromEntries(Object.entries(theirContext).filter(([, each]) => each !== undefined));
    const known = { value: theirValue, context };
    const { value, context: ourContext } = ours.snapshot;
    const effects = asked.map(({ type, params }) => ({ type, params }));
    if (!isDeepStrictEqual({ value, context: ourContext, effects: ours.effects }, { ...known, effects }))
      return `${index}: ${JSON.stringify({ event, ours, theirs: { ...known, effects } })}`;
  }
  return undefined;
}

describe.each(Object.keys(MACHINES) as ActorKind[])("Machine table: %s", (kind) => {
  test("MACHINE-TABLE-1: every history leads to XState's states, contexts, effects and refusals, step by step", () => {
    const event = fc.oneof(fc.constantFrom(...EVENTS[kind]), MORE[kind]);
    const timed = fc.tuple(event, fc.nat(50)).map(([given, at]) => ({ ...given, at }));
    holds(FILE, HISTORIES, fc.array(timed, { maxLength: 25 }), (history) => {
      expect(difference(kind, history)).toBeUndefined();
    });
  });
});

describe("Machine table", () => {
  test.each([
    ["a delay", { initial: "a", states: { a: { after: { 5: "b" } }, b: {} } }],
    ["a step without an event", { initial: "a", states: { a: { always: "b" }, b: {} } }],
    ["an end", { initial: "a", states: { a: { on: { go: "b" } }, b: { type: "final" } } }],
    ["a memory of states", { initial: "a", states: { a: {}, h: { type: "history" } } }],
    ["a child", { invoke: { src: "child" } }],
    ["a guard without a name", { on: { go: { guard: () => true, actions: "x" } } }],
    ["an event of its own", { on: { go: { actions: "again" } } }],
  ] as const)("MACHINE-TABLE-2: a machine with %s is refused", (_, config) => {
    const actions = { again: raise({ type: "go" }) };
    const machine = createMachine(config as object, { actions });
    expect(() => new MachineTable(machine)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^NOT_A_TABLE$|^UNKNOWN_ACTION$/) as string }),
    );
  });

  test("MACHINE-TABLE-1: guards are asked in XState's order, and only those that XState asks", () => {
    const asked: string[] = [];
    const says = (name: string, answer: boolean) => () => {
      asked.push(name);
      return answer;
    };
    const machine = setup({
      guards: { first: says("first", false), second: says("second", true), third: says("third", true) },
      actions: { note: assign({ noted: true }) },
    }).createMachine({
      context: {},
      on: { go: [{ guard: "first" }, { guard: "second", actions: "note" }, { guard: "third" }] },
    });
    const table = new MachineTable(machine);
    const { step } = table.begin({});
    for (const _ of [1, 2]) {
      const { actions, legal } = table.step(step.value, {}, { type: "go" });
      expect([legal, actions.length, asked.splice(0)]).toEqual([true, 1, ["first", "second"]]);
    }
  });

  test("MACHINE-ACTIONS-1: an action that is no effect, no assign and no enqueueActions fails the turn", () => {
    const unknown = actionOf("dance", () => undefined);
    const args = { context: {}, event: { type: "go" } };
    expect(() => unknown(args, [])).toThrow(expect.objectContaining({ code: "UNKNOWN_EFFECT" }));
  });
});

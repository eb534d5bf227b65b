// Graph
// What holds of every way through every machine, and of the definitions themselves.

import { describe, expect, test } from "vitest";
import type { ActorKind } from "../../machines/index.ts";
import { glimpse, move, type StateValue, upcast } from "../../runtime/rows/actors/actors.ts";
import { regionOf } from "../../runtime/rows/views.ts";
import { hashOf } from "../support/machines/definition.ts";
import {
  edges,
  MACHINES,
  nodesOf,
  type Path,
  shortestPaths,
  simplePaths,
} from "../support/machines/graph.ts";

const KINDS = Object.keys(MACHINES) as ActorKind[];

const REGIONS: Readonly<Record<ActorKind, readonly (string | undefined)[]>> = {
  session: [undefined],
  request: ["lifecycle", "callback"],
  call: ["execution", "approval"],
  approval: [undefined],
};

/**
 * What each machine was when it got its version: a snapshot in a store is of one of these. A definition is its states
 * and what leads from where to where; the bodies of guards and actions are held by the tables.
 */
const KNOWN: Readonly<Record<ActorKind, { readonly version: string; readonly hash: string }>> = {
  session: { version: "3", hash: "0115c774f21b735c" },
  request: { version: "2", hash: "7211065ec391b691" },
  call: { version: "6", hash: "5e67b6e60a689dee" },
  approval: { version: "5", hash: "3c3d5d360ce734a0" },
};

describe.each(KINDS)("%s", (kind) => {
  const machine = MACHINES[kind];

  test("I-02: every state is reached, and each step on the shortest way there is legal", () => {
    const paths = shortestPaths(kind);
    for (const path of paths) follow(kind, path);
    const entered = paths.map(({ state }) => leaves(state.value));
    const unreached = nodesOf(machine)
      .filter((node) => node.type === "atomic")
      .filter((node) => !entered.some((names) => names.includes(node.path.join("."))));
    expect(unreached.map((node) => node.id)).toEqual([]);
  });

  test("I-02: each step of every simple way through is legal, and leads where the graph says", () => {
    const paths = simplePaths(kind);
    for (const path of paths) follow(kind, path);
    expect(paths.length).toBeGreaterThan(4);
  });

  test("I-01: what is closed stays closed; only a call without a result moves once more or is put off after all, only a session begins anew", () => {
    let seen = 0;
    for (const { from, event, to } of edges(kind)) {
      for (const region of REGIONS[kind]) {
        const before = regionOf(from.value, region);
        const now = regionOf(to.value, region);
        const home = region === undefined ? machine.root : machine.root.states[region];
        if (!home?.states[before]?.tags.includes("terminal")) continue;
        seen += 1;
        if (before === "missing-post")
          expect([
            before,
            "completed",
            "failed",
            "denied",
            ...("reopens" in event ? ["queued"] : []),
          ]).toContain(now);
        else if (before === "ended")
          expect(now === "ended" || ["began", "worked"].includes(event.type)).toBe(true);
        else expect(now, `${before} + ${event.type}`).toBe(before);
      }
    }
    expect(seen).toBeGreaterThan(0);
  });

  test("I-43: the definition has nothing that a virtual actor cannot keep: no invoke, spawn, delay, history, end", () => {
    for (const node of nodesOf(machine)) {
      expect([...node.invoke, ...node.after], node.id).toEqual([]);
      expect(["atomic", "compound", "parallel"], node.id).toContain(node.type);
      const { onDone, output } = node.config as { onDone?: unknown; output?: unknown };
      expect(
        [onDone, output, node.always].filter((part) => part !== undefined),
        node.id,
      ).toEqual([]);
    }
    const { actions, delays, actors } = machine.implementations;
    expect(delays).toEqual({});
    expect(Object.keys(actors)).toEqual(kind === "session" ? ["request", "call", "approval"] : []);
    const inline = nodesOf(machine).flatMap((node) => [
      ...node.entry,
      ...node.exit,
      ...[...node.transitions.values()].flat().flatMap((transition) => transition.actions),
    ]);
    const builtIn = [...Object.values(actions), ...inline].flatMap((action) =>
      typeof action === "function" && "type" in action ? [action.type] : [],
    );
    const allowed = kind === "session" ? ["xstate.assign", "xstate.enqueueActions"] : ["xstate.assign"];
    expect([...new Set(builtIn)].sort()).toEqual(allowed);
  });

  test("I-45: the definition is the one its version stands for", () => {
    const { version, hash } = KNOWN[kind];
    const now = { version: machine.version, hash: hashOf(machine) };
    const next = `${kind}: the definition has changed. Give the machine a new version, write upcast["${version}"] of it in runtime/rows/actors/actors.ts, then put ${now.hash} here.`;
    expect(now, next).toEqual({ version, hash });
  });

  test("I-45: every version before the present one can be taken up", () => {
    const present = Number(machine.version);
    expect(present).toBeGreaterThan(0);
    const before = Array.from({ length: present - 1 }, (_, index) => String(index + 1));
    expect(Object.keys(upcast[kind])).toEqual(before);
    const kept = { machine: kind, value: "any", context: { id: "x" } };
    for (const version of before)
      expect(glimpse(kind, "w/s", JSON.stringify({ ...kept, version }))).toEqual({
        ...kept,
        version: machine.version,
      });
  });

  test("I-43: every action has a name, for whoever draws the machine or looks on", () => {
    const actions = nodesOf(machine).flatMap((node) => [
      ...node.entry,
      ...node.exit,
      ...[...node.transitions.values()].flat().flatMap((transition) => transition.actions),
    ]);
    expect(actions.filter((action) => typeof action === "function")).toEqual([]);
  });
});

/** Takes each step of a path with the runtime's own hands. */
function follow(kind: ActorKind, { state, steps: [first, ...rest] }: Path): void {
  let snapshot = first?.state ?? state;
  for (const { event, state: next } of rest) {
    const moved = move(kind, snapshot, event);
    expect(moved.legal, event.type).toBe(true);
    expect(moved.snapshot.value).toEqual(next.value);
    snapshot = moved.snapshot;
  }
  expect(snapshot.value).toEqual(state.value);
}

/** The innermost states of a value, each as its path. */
function leaves(value: StateValue): readonly string[] {
  if (typeof value === "string") return [value];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner).map((path) => `${name}.${path}`));
}

// Definition
// A machine's definition from the engine, reduced to what a drawing needs.
//
//   Owns:          reading the definitions, making one arrow for each pair of states.
//   Does not own:  the layout (layout.ts), the looks (chart.tsx).

import { ask } from "../engine/api.ts";

export interface StateNode {
  readonly id: string;
  readonly key: string;
  readonly type: "atomic" | "compound" | "parallel" | "final" | "history";
  readonly initial: { readonly target: readonly string[] };
  readonly states: Readonly<Record<string, StateNode>>;
  readonly on: Readonly<Record<string, readonly Transition[]>>;
}

interface Transition {
  readonly target?: readonly string[];
  readonly guard?: unknown;
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly events: readonly string[];
}

export interface MachineDefinition {
  readonly version: string;
  readonly definition: StateNode;
  readonly mermaid: string;
}

export type MachineKind = "session" | "request" | "call" | "approval";

let asked: Promise<Readonly<Record<MachineKind, MachineDefinition>>> | undefined;

/** A machine's definition, read once: it does not change while an engine runs, and the page reloads after a restart. */
export async function definitionOf(kind: MachineKind): Promise<MachineDefinition> {
  asked ??= ask<{ machines: Readonly<Record<MachineKind, MachineDefinition>> }>("/v1/machines").then(
    ({ machines }) => machines,
  );
  try {
    return (await asked)[kind];
  } catch (error) {
    asked = undefined;
    throw error;
  }
}

/** The arrows of a machine: one for each pair of states that a transition connects. */
export function arrowsOf(root: StateNode): readonly Arrow[] {
  const arrows = new Map<string, { from: string; to: string; events: string[] }>();
  for (const node of nodesOf(root)) {
    for (const [event, transitions] of Object.entries(node.on)) {
      for (const { target = [], guard } of transitions) {
        for (const to of target.map(idOf).filter((id) => id !== node.id)) {
          const key = `${node.id}\n${to}`;
          const arrow = arrows.get(key) ?? { from: node.id, to, events: [] };
          const label = guard === undefined ? event : `${event} [${nameOf(guard)}]`;
          if (!arrow.events.includes(label)) arrow.events.push(label);
          arrows.set(key, arrow);
        }
      }
    }
  }
  return [...arrows.values()];
}

function nodesOf(node: StateNode): readonly StateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)];
}

/** The events that the active states accept, whatever their guards would say. */
export interface Accepted {
  /** The events that may lead to another state, each with the states it may lead to. */
  readonly moves: readonly (readonly [event: string, to: readonly string[]])[];
  /** The events that are accepted without a change of state. */
  readonly notes: readonly string[];
}

/** Finds which events the active states accept, and where each may lead. @param lit ids of the active states. */
export function acceptedIn(root: StateNode, lit: ReadonlySet<string>): Accepted {
  const found = new Map<string, Set<string>>();
  for (const node of nodesOf(root)) {
    if (!lit.has(node.id)) continue;
    for (const [event, transitions] of Object.entries(node.on)) {
      const to = found.get(event) ?? new Set();
      found.set(event, to);
      for (const id of transitions.flatMap(({ target = [] }) => target.map(idOf)))
        if (!lit.has(id)) to.add(id.slice(id.lastIndexOf(".") + 1));
    }
  }
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    moves: sorted.flatMap(([event, to]) => (to.size > 0 ? [[event, [...to]] as const] : [])),
    notes: sorted.flatMap(([event, to]) => (to.size === 0 ? [event] : [])),
  };
}

const idOf = (target: string): string => target.replace(/^#/, "");

const nameOf = (guard: unknown): string =>
  typeof guard === "object" && guard !== null && "type" in guard ? String(guard.type) : String(guard);

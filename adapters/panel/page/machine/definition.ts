// Definition
// Reads a machine's definition from the engine, and reduces it to what a drawing needs.
//
//   Owns:          reading the definitions, joining all transitions from one state to another into one arrow.
//   Does not own:  placing states and arrows (layout.ts), how they look (chart.tsx).

import { ask } from "../engine/api.ts";
import type { Route } from "../route.ts";

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

export type MachineKind = Extract<Route, { view: "machine" }>["kind"];

let asked: Promise<Readonly<Record<MachineKind, MachineDefinition>>> | undefined;

/** A machine's definition, read once: it changes only with a new engine, which a person must sign in to, on a new page. */
export async function definitionOf(kind: MachineKind): Promise<MachineDefinition> {
  asked ??= ask<{ machines: Readonly<Record<MachineKind, MachineDefinition>> }>("/v1/machines").then(
    ({ machines }) => machines,
    (error: unknown) => {
      asked = undefined;
      throw error;
    },
  );
  return (await asked)[kind];
}

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

/** The events that the active states accept. Guards, which may refuse an event at present, are ignored. */
export interface Accepted {
  /** The events that may lead to another state, each with the states it may lead to. */
  readonly moves: readonly (readonly [event: string, to: readonly string[]])[];
  /** The events that are accepted without a change of state. */
  readonly notes: readonly string[];
}

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

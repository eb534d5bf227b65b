// Definition
// A machine's definition as plain data: its states and transitions.
//
//   Owns:          what counts as the definition; its hash.
//   Does not own:  what guards and actions do: the tables hold that.

import { createHash } from "node:crypto";
import type { AnyStateMachine } from "xstate";
import { canonicalText } from "../../../runtime/canonical.ts";
import { nodesOf } from "./graph.ts";

export interface Transition {
  readonly event: string;
  readonly guard: string | null;
  /** Null if the state stays. */
  readonly target: readonly string[] | null;
  readonly actions: readonly string[];
}

export interface State {
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly initial: readonly string[];
  readonly tags: readonly string[];
  readonly entry: readonly string[];
  readonly exit: readonly string[];
  readonly transitions: readonly Transition[];
}

function definitionOf(machine: AnyStateMachine): readonly State[] {
  return nodesOf(machine).map((node) => ({
    id: node.id,
    key: node.key,
    type: node.type,
    initial: node.initial.target.map((target) => target.id),
    tags: [...(node.tags as readonly string[])],
    entry: node.entry.map(named),
    exit: node.exit.map(named),
    transitions: [...node.transitions.values()].flat().map((transition) => ({
      event: transition.eventType as string,
      guard: transition.guard === undefined ? null : named(transition.guard),
      target: transition.target?.map((target) => target.id) ?? null,
      actions: transition.actions.map(named),
    })),
  }));
}

export function hashOf(machine: AnyStateMachine): string {
  return createHash("sha256")
    .update(canonicalText(definitionOf(machine)))
    .digest("hex")
    .slice(0, 16);
}

/** A guard or action by its name. */
function named(what: unknown): string {
  if (typeof what === "string") return what;
  const { type } = what as { readonly type?: unknown };
  return typeof type === "string" ? type : "inline";
}

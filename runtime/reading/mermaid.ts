// Mermaid
// Draws the definition of a machine as a Mermaid state diagram.
//
//   Owns:          the text of the diagram.
//   Does not own:  the definitions of the machines (machines).

import { z } from "zod";

const transition = z.looseObject({ target: z.array(z.string()).default([]), guard: z.unknown().optional() });

interface Node {
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly initial: { readonly target: readonly string[] };
  readonly states: Readonly<Record<string, Node>>;
  readonly on: Readonly<Record<string, readonly z.infer<typeof transition>[]>>;
}

const nodeSchema: z.ZodType<Node> = z.lazy(() =>
  z.looseObject({
    id: z.string(),
    key: z.string(),
    type: z.string(),
    initial: z.looseObject({ target: z.array(z.string()).default([]) }),
    states: z.record(z.string(), nodeSchema),
    on: z.record(z.string(), z.array(transition)),
  }),
);

/** @param definition a machine as XState exports it to JSON. @returns the text of a `stateDiagram-v2`. */
export function mermaid(definition: unknown): string {
  const root = nodeSchema.parse(definition);
  return ["stateDiagram-v2", ...inside(root).map((line) => `  ${line}`)].join("\n");
}

function inside(node: Node): readonly string[] {
  const children = Object.values(node.states);
  if (node.type === "parallel") return children.flatMap(drawn);
  return [
    ...node.initial.target.map((target) => `[*] --> ${nameOf(target)}`),
    ...children.flatMap((child) => [...drawn(child), ...arrowsFrom(child)]),
    ...(node.id === node.key ? arrowsFrom(node) : []),
  ];
}

function drawn(node: Node): readonly string[] {
  const label = `state "${node.key}" as ${nameOf(node.id)}`;
  if (node.type === "atomic") return [label];
  return [`${label} {`, ...inside(node).map((line) => `  ${line}`), "}"];
}

/** The arrows from a state: one for each next state, labelled with all events that lead to it. */
function arrowsFrom(node: Node): readonly string[] {
  const labels = new Map<string, string[]>();
  for (const [event, transitions] of Object.entries(node.on)) {
    for (const { target, guard } of transitions) {
      for (const to of target) labels.set(to, [...(labels.get(to) ?? []), guarded(event, guard)]);
    }
  }
  return [...labels].map(([to, events]) => `${nameOf(node.id)} --> ${nameOf(to)}: ${events.join(", ")}`);
}

function guarded(event: string, guard: unknown): string {
  const name: unknown = typeof guard === "object" && guard !== null && "type" in guard ? guard.type : guard;
  return typeof name === "string" ? `${event} [${name}]` : event;
}

const nameOf = (id: string): string => id.replace(/^#/, "").replaceAll(/[^A-Za-z0-9_]/g, "_");

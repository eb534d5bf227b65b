// Layout
// Places a machine's states and arrows from the inside out: each compound state is laid out as a drawing of its own.
//
//   Owns:          the place of each state and each arrow.
//   Does not own:  how states and arrows are drawn (chart.tsx).
//
// The layout is a pure function: the same definition always gives the same drawing.

import type * as dagreLibrary from "./dagre.ts";
import { labelOf } from "../parts/words.ts";
import { type Arrow, arrowsOf, type StateNode } from "./definition.ts";

export type Dagre = typeof dagreLibrary;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly id: string;
  /** The state's name in the machine. `label` is its name for people. */
  readonly name: string;
  readonly label: string;
  readonly width: number;
  readonly height: number;
  readonly isLeaf: boolean;
  /** True if entering the surrounding state also enters this state. */
  readonly isInitial: boolean;
}

export interface Path {
  readonly from: string;
  readonly to: string;
  readonly events: readonly string[];
  readonly points: readonly Point[];
  readonly label: Point;
}

/** The boxes of the states, outer ones first; x and y are the top left corner. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly paths: readonly Path[];
}

const LETTER = 7.6;
const SMALL_LETTER = 6;
const LINE = 14;
const PAD = 18;
const TITLE = 26;
/** How many events an arrow names, one on each line; the rest are counted. */
export const LABELS_MAX = 3;

export function layoutOf(root: StateNode, dagre: Dagre): Drawing {
  return place(root, arrowsOf(root), true, dagre);
}

function place(node: StateNode, arrows: readonly Arrow[], isOutermost: boolean, dagre: Dagre): Drawing {
  const children = Object.values(node.states);
  if (children.length === 0) return leaf(node);
  const inside = children.map((child) => [child, place(child, arrows, false, dagre)] as const);
  const { width, height, boxes, paths } =
    node.type === "parallel" ? stack(inside) : graph(node, inside, arrows, dagre);
  if (isOutermost) return { width, height, boxes, paths };
  const frame = box(node, width + 2 * PAD, height + TITLE + PAD, false);
  return {
    width: frame.width,
    height: frame.height,
    boxes: [frame, ...boxes.map((each) => ({ ...each, ...moved(each, PAD, TITLE) }))],
    paths: paths.map((each) => movedPath(each, PAD, TITLE)),
  };
}

function leaf(node: StateNode): Drawing {
  const only = box(node, Math.max(72, labelOf(node.key).length * LETTER + 28), 34, true);
  return { width: only.width, height: only.height, boxes: [only], paths: [] };
}

const box = ({ id, key }: StateNode, width: number, height: number, isLeaf: boolean): Box => ({
  id,
  name: key,
  label: labelOf(key),
  x: 0,
  y: 0,
  width,
  height,
  isLeaf,
  isInitial: false,
});

type Inside = readonly (readonly [child: StateNode, drawing: Drawing])[];

/** Puts the regions of a parallel state below one another. */
function stack(inside: Inside): Drawing {
  const width = Math.max(...inside.map(([, drawing]) => drawing.width));
  let height = 0;
  const boxes: Box[] = [];
  const paths: Path[] = [];
  for (const [, drawing] of inside) {
    for (const [index, each] of drawing.boxes.entries())
      boxes.push({ ...each, ...moved(each, 0, height), ...(index === 0 && { width }) });
    paths.push(...drawing.paths.map((path) => movedPath(path, 0, height)));
    height += drawing.height + PAD;
  }
  return { width, height: height - PAD, boxes, paths };
}

function graph(node: StateNode, inside: Inside, arrows: readonly Arrow[], { Graph, layout }: Dagre): Drawing {
  const plan = new Graph({ multigraph: false });
  plan.setGraph({ rankdir: "TB", nodesep: 34, edgesep: 18, ranksep: 34, marginx: 4, marginy: 4 });
  plan.setDefaultEdgeLabel(() => ({}));
  for (const [child, { width, height }] of inside) plan.setNode(child.id, { width, height });
  const homeOf = (id: string): string | undefined =>
    inside.find(([child]) => id === child.id || id.startsWith(`${child.id}.`))?.[0].id;
  const between = arrows.flatMap((arrow) => {
    const [from, to] = [homeOf(arrow.from), homeOf(arrow.to)];
    return from === undefined || to === undefined || from === to ? [] : [{ arrow, from, to }];
  });
  for (const { arrow, from, to } of between) {
    const known = (plan.edge(from, to) as { events?: readonly string[] } | undefined)?.events ?? [];
    const events = [...known, ...arrow.events];
    const lines = events.slice(0, LABELS_MAX + 1);
    const longest = Math.max(...lines.map((line) => line.length));
    plan.setEdge(from, to, {
      events,
      width: longest * SMALL_LETTER + 8,
      height: lines.length * LINE + 4,
      labelpos: "c",
    });
  }
  layout(plan);
  const boxes: Box[] = [];
  const paths: Path[] = [];
  const initial = node.initial.target.map((id) => id.replace(/^#/, ""));
  for (const [child, drawing] of inside) {
    // The position that dagre gives for a node is that of the node's middle.
    const { x, y } = plan.node(child.id) as Point;
    const [left, top] = [x - drawing.width / 2, y - drawing.height / 2];
    const isInitial = initial.includes(child.id);
    for (const [index, each] of drawing.boxes.entries())
      boxes.push({ ...each, ...moved(each, left, top), ...(index === 0 && isInitial && { isInitial }) });
    paths.push(...drawing.paths.map((path) => movedPath(path, left, top)));
  }
  for (const edge of plan.edges()) {
    // The cast is safe: the edge was added above, and dagre has given it positions.
    const { events, points, x, y } = plan.edge(edge) as Point & {
      events: readonly string[];
      points: readonly Point[];
    };
    paths.push({ from: edge.v, to: edge.w, events, points, label: { x, y } });
  }
  const { width = 0, height = 0 } = plan.graph() as { width?: number; height?: number };
  return { width, height, boxes, paths };
}

const moved = ({ x, y }: Point, right: number, down: number): Point => ({ x: x + right, y: y + down });

const movedPath = (path: Path, right: number, down: number): Path => ({
  ...path,
  points: path.points.map((point) => moved(point, right, down)),
  label: moved(path.label, right, down),
});

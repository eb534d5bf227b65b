// Chart
// Draws a statechart as SVG: the current states (`lit`) and the arrow of the last transition are highlighted.
//
//   Owns:          how states and arrows are drawn.
//   Does not own:  where states and arrows are (layout.ts), which states are current (machine.tsx).

import { useMemo } from "preact/hooks";
import { later } from "../parts/later.tsx";
import type { StateNode } from "./definition.ts";
import { type Box, type Dagre, LABELS_MAX, layoutOf, type Path, type Point } from "./layout.ts";

interface Props {
  readonly definition: StateNode;
  /** Ids of the states that the machine is in. */
  readonly lit: ReadonlySet<string>;
  /** The last transition: ids of the state that was left and the state that was entered. */
  readonly step?: { readonly from: string; readonly to: string };
  readonly title: string;
}

export const Chart = later(async () => {
  const dagre = await import("./dagre.ts");
  return (props: Props) => <Drawn {...props} dagre={dagre} />;
});

function Drawn({ definition, lit, step, title, dagre }: Props & { readonly dagre: Dagre }) {
  const { width, height, boxes, paths } = useMemo(() => layoutOf(definition, dagre), [definition, dagre]);
  const isStep = (path: Path): boolean => step?.from === path.from && step.to === path.to;
  return (
    <svg
      class="chart"
      viewBox={`-4 -4 ${Math.ceil(width) + 8} ${Math.ceil(height) + 8}`}
      style={{ maxWidth: `${Math.ceil(width) + 8}px` }}
      role="img"
      aria-label={title}
      xmlns="http://www.w3.org/2000/svg"
    >
      <defs>
        <marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0L8 4L0 8z" fill="context-stroke" />
        </marker>
      </defs>
      {boxes.map((box) => (
        <State key={box.id} box={box} isLit={lit.has(box.id)} />
      ))}
      {paths
        .toSorted((a, b) => Number(isStep(a)) - Number(isStep(b)))
        .map((path) => (
          <Arrow
            key={`${path.from} ${path.to}`}
            path={path}
            isStep={isStep(path)}
            isNext={lit.has(path.from)}
          />
        ))}
    </svg>
  );
}

function State({ box, isLit }: { readonly box: Box; readonly isLit: boolean }) {
  const { x, y, width, height, name, label, isLeaf, isInitial } = box;
  const look = `state ${isLeaf ? name : "outer"}${isLit ? " lit" : ""}`;
  return (
    <g class={look} data-state={name}>
      <title>{name}</title>
      <rect x={x} y={y} width={width} height={height} rx={isLeaf ? 8 : 10} />
      <text
        x={isLeaf ? x + width / 2 : x + 12}
        y={isLeaf ? y + height / 2 + 5 : y + 18}
        text-anchor={isLeaf ? "middle" : "start"}
      >
        {label}
      </text>
      {isInitial && <circle cx={x} cy={y} r="4.5" />}
    </g>
  );
}

interface ArrowProps {
  readonly path: Path;
  readonly isStep: boolean;
  /** True if the arrow leads out of an active state. */
  readonly isNext: boolean;
}

function Arrow({ path, isStep, isNext }: ArrowProps) {
  const { events, points, label } = path;
  const lines =
    events.length > LABELS_MAX ? [...events.slice(0, LABELS_MAX), `+ ${events.length - LABELS_MAX}`] : events;
  const top = label.y - ((lines.length - 1) * 14) / 2 + 4;
  return (
    <g class={`arrow${isNext ? " ahead" : ""}${isStep ? " step" : ""}`}>
      <title>{events.join("\n")}</title>
      <path d={curve(points)} marker-end="url(#head)" />
      {lines.map((line, index) => (
        <text key={line} x={label.x} y={top + index * 14} text-anchor="middle">
          {line}
        </text>
      ))}
    </g>
  );
}

/** An SVG path along a polyline: rounded at the corners, exact at both ends. */
function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (!first || !last) return "";
  const at = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const bends = rest.map(
    (point, index) =>
      `Q${at(point)} ${at(index === rest.length - 1 ? last : middle(point, rest[index + 1] ?? last))}`,
  );
  return `M${at(first)}${bends.length === 0 ? `L${at(last)}` : bends.join("")}`;
}

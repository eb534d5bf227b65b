// Chart
// Draws figures over time as columns, with both axes. Mouse, finger or keys point at one interval, whose numbers are read
// out.
//
//   Owns:          the drawing, pointing at an interval.
//   Does not own:  the numbers and their words (charts.tsx), the marks (parts/scale.ts).
//   Decided in:    docs/decisions/0048-charts-of-the-last-day.md.

import { useRef } from "preact/hooks";
import type { Interval } from "../../../../../runtime/reading/figures/series.ts";
import {
  Column,
  FLOOR,
  HEIGHT,
  heightBy,
  highestOf,
  LEFT,
  Legend,
  Levels,
  Nothing,
  type Part,
  type Parts,
  TOP,
  type ValueAxis,
  valuesOf,
  widthIn,
} from "../../parts/columns.tsx";
import { dayMarks } from "../../parts/scale.ts";
import { clockOf } from "../../parts/time.tsx";
import { useWidth } from "../../parts/width.ts";

export type ChartPart = Part<Interval>;

export interface ChartProps extends Parts<Interval>, ValueAxis {
  readonly title: string;
  readonly items: readonly Interval[];
  readonly stepMs: number;
  /** Nothing is known from before this time, ms. */
  readonly since?: number | undefined;
  /** The sentence shown while no interval is pointed at. */
  readonly summary: string;
  /** The index of the interval that is pointed at, shared by all charts. */
  readonly at: number | undefined;
  readonly point: (index: number | undefined) => void;
}

const MARK_WIDTH = 76;

export function Chart(props: ChartProps) {
  const { title, items, parts, summary, format, at, point } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const pointed = at === undefined ? undefined : items[at];
  const told = pointed && `${whenOf(pointed.at, props.stepMs)}: ${valuesOf(parts, pointed, format)}`;
  const pointAt = (x: number): void => {
    const index = Math.floor(((x - LEFT) / (width - LEFT)) * items.length);
    point(index < 0 ? undefined : Math.min(index, items.length - 1));
  };
  return (
    <figure class="tile series">
      <figcaption>
        <h3>{title}</h3>
        {parts.length > 1 && <Legend parts={parts} />}
        <p class="quiet read-out">{told ?? summary}</p>
      </figcaption>
      <div
        ref={box}
        class="plot"
        tabIndex={0}
        role="slider"
        aria-label={`${title}, by time`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, items.length - 1)}
        aria-valuenow={at ?? Math.max(0, items.length - 1)}
        aria-valuetext={told ?? summary}
        onPointerMove={(event) => pointAt(event.offsetX)}
        // After a finger is lifted, the figure stays: the person has not read it yet.
        onPointerLeave={(event) => event.pointerType !== "touch" && point(undefined)}
        onBlur={() => point(undefined)}
        onKeyDown={(event) => {
          const to = moved(event.key, at, items.length);
          if (to === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          point(to);
        }}
      >
        {width > 0 && <Drawing {...props} width={width} />}
      </div>
    </figure>
  );
}

/** The interval that a key leads to; undefined for other keys. */
function moved(key: string, at: number | undefined, count: number): number | undefined {
  const from = at ?? count;
  const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: count - 1 }[key];
  return to === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, to));
}

function Drawing(props: ChartProps & { readonly width: number }) {
  const { items, stepMs, since, marks, formatMark, at, width, parts, isStacked } = props;
  const highest = highestOf(items, props);
  const levels = marks(highest);
  const y = heightBy(levels);
  const column = (width - LEFT) / Math.max(1, items.length);
  const [from, to] = [items[0]?.at ?? 0, (items.at(-1)?.at ?? 0) + stepMs];
  const x = (time: number): number => LEFT + ((time - from) / Math.max(1, to - from)) * (width - LEFT);
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true">
      <Levels {...{ levels, y, width, formatMark }} />
      {dayMarks(from, to, Math.max(1, Math.floor((width - LEFT) / MARK_WIDTH))).map((time) => (
        <g key={time}>
          <line class="level" x1={x(time)} x2={x(time)} y1={FLOOR} y2={FLOOR + 4} />
          {x(time) > LEFT + 14 && x(time) < width - 20 && (
            <text x={x(time)} y={HEIGHT - 4} text-anchor="middle">
              {clockOf(time)}
            </text>
          )}
        </g>
      ))}
      {since !== undefined && (
        <rect class="unknown" x={LEFT} width={Math.max(0, x(since) - LEFT)} y={TOP} height={FLOOR - TOP} />
      )}
      {at !== undefined && (
        <rect class="pointed" x={LEFT + at * column} width={column} y={TOP} height={FLOOR - TOP} />
      )}
      {items.map((each, index) => (
        <Column
          key={each.at}
          {...{ y, parts, isStacked }}
          item={each}
          x={LEFT + index * column}
          width={widthIn(column)}
        />
      ))}
      {items.length > 0 && highest === 0 && <Nothing width={width} />}
    </svg>
  );
}

export const whenOf = (from: number, stepMs: number): string => `${clockOf(from)}–${clockOf(from + stepMs)}`;

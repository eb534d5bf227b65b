// Chart
// Draws a chart of figures over time. A person points at an interval by mouse, finger or keys, and gets its numbers in words.
//
//   Owns:          the axis of time, pointing at an interval.
//   Does not own:  the numbers and their words (charts.tsx), the columns (parts/columns.tsx).
//   Decided in:    docs/decisions/0048-charts-of-the-last-day.md.

import { useRef } from "preact/hooks";
import type { Interval } from "../../../../../runtime/reading/figures/series.ts";
import {
  Drawing,
  FLOOR,
  HEIGHT,
  highestOf,
  indexAt,
  LEFT,
  Legend,
  type Part,
  type Parts,
  Stretch,
  type ValueAxis,
  valuesOf,
} from "../../parts/columns.tsx";
import { dayMarks } from "../../parts/scale.ts";
import { clockOf } from "../../parts/time.tsx";
import { useWidth } from "../../parts/size.ts";

export type ChartPart = Part<Interval>;

export interface ChartProps extends Parts<Interval>, ValueAxis {
  readonly title: string;
  readonly items: readonly Interval[];
  readonly stepMs: number;
  /** The engine has counted nothing before this time, ms. */
  readonly since?: number | undefined;
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
        onPointerMove={({ offsetX }) => point(indexAt(offsetX, width, items.length))}
        // When a finger is lifted, the numbers stay on the screen: the person has not read them yet.
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
        {width > 0 && (
          <Drawing {...props} highest={highestOf(items, props)} width={width}>
            <Times {...props} width={width} />
          </Drawing>
        )}
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

/** The axis of time, and a grey stretch up to `since`, for the time that the engine has not counted. */
function Times({ items, stepMs, since, width }: ChartProps & { readonly width: number }) {
  const [from, to] = [items[0]?.at ?? 0, (items.at(-1)?.at ?? 0) + stepMs];
  const x = (time: number): number => LEFT + ((time - from) / Math.max(1, to - from)) * (width - LEFT);
  return (
    <>
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
      {since !== undefined && <Stretch look="unknown" x={LEFT} width={Math.max(0, x(since) - LEFT)} />}
    </>
  );
}

export const whenOf = (from: number, stepMs: number): string => `${clockOf(from)}–${clockOf(from + stepMs)}`;

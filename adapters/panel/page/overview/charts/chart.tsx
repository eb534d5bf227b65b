// Chart
// Draws figures over time as columns, with both axes. Mouse, finger or keys point at one interval, whose numbers are read
// out.
//
//   Owns:          the drawing, pointing at an interval.
//   Does not own:  the numbers and their words (charts.tsx), the marks (parts/scale.ts).
//   Decided in:    docs/decisions/0048-charts-of-the-last-day.md.

import { useRef } from "preact/hooks";
import type { Interval } from "../../../../../runtime/reading/figures/series.ts";
import { dayMarks } from "../../parts/scale.ts";
import { clockOf } from "../../parts/time.tsx";
import { useWidth } from "../../parts/width.ts";

/** One part of the columns, with its colour. */
export interface Part {
  readonly name: string;
  readonly look: string;
  readonly of: (interval: Interval) => number;
}

export interface ChartProps {
  readonly title: string;
  readonly items: readonly Interval[];
  readonly stepMs: number;
  /** Nothing is known from before this time, ms. */
  readonly since?: number | undefined;
  readonly parts: readonly Part[];
  /** True if the parts of a column stand upon one another. Else each begins at 0, with the lowest in front. */
  readonly isStacked: boolean;
  readonly marks: (most: number) => readonly number[];
  readonly format: (value: number) => string;
  /** Formats a value for a mark of the axis. */
  readonly formatMark: (value: number) => string;
  /** The sentence shown while no interval is pointed at. */
  readonly summary: string;
  /** The index of the interval that is pointed at, shared by all charts. */
  readonly at: number | undefined;
  readonly point: (index: number | undefined) => void;
}

const HEIGHT = 150;
const TOP = 14;
const LEFT = 44;
const BOTTOM = 20;
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
        {parts.length > 1 && (
          <ul class="legend">
            {parts.map(({ name, look }) => (
              <li key={name} class={look}>
                {name}
              </li>
            ))}
          </ul>
        )}
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
  const { items, stepMs, since, parts, isStacked, marks, formatMark, at, width } = props;
  const highest = items.map((each) => {
    const values = parts.map(({ of }) => of(each));
    return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  const levels = marks(Math.max(0, ...highest));
  const most = levels.at(-1) ?? 1;
  const floor = HEIGHT - BOTTOM;
  const y = (value: number): number => floor - (value / most) * (floor - TOP);
  const column = (width - LEFT) / Math.max(1, items.length);
  const [from, to] = [items[0]?.at ?? 0, (items.at(-1)?.at ?? 0) + stepMs];
  const x = (time: number): number => LEFT + ((time - from) / Math.max(1, to - from)) * (width - LEFT);
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true">
      {levels.map((level) => (
        <g key={level}>
          <line class="level" x1={LEFT} x2={width} y1={y(level)} y2={y(level)} />
          <text x={LEFT - 6} y={y(level) + 4} text-anchor="end">
            {formatMark(level)}
          </text>
        </g>
      ))}
      {dayMarks(from, to, Math.max(1, Math.floor((width - LEFT) / MARK_WIDTH))).map((time) => (
        <g key={time}>
          <line class="level" x1={x(time)} x2={x(time)} y1={floor} y2={floor + 4} />
          {x(time) > LEFT + 14 && x(time) < width - 20 && (
            <text x={x(time)} y={HEIGHT - 4} text-anchor="middle">
              {clockOf(time)}
            </text>
          )}
        </g>
      ))}
      {since !== undefined && (
        <rect class="unknown" x={LEFT} width={Math.max(0, x(since) - LEFT)} y={TOP} height={floor - TOP} />
      )}
      {at !== undefined && (
        <rect class="pointed" x={LEFT + at * column} width={column} y={TOP} height={floor - TOP} />
      )}
      {items.map((each, index) => (
        <Column
          key={each.at}
          interval={each}
          x={LEFT + index * column}
          {...{ column, y, parts, isStacked }}
        />
      ))}
      {Math.max(...highest) === 0 && (
        <text class="nothing" x={(LEFT + width) / 2} y={(TOP + floor) / 2} text-anchor="middle">
          None in this time
        </text>
      )}
    </svg>
  );
}

interface ColumnProps extends Pick<ChartProps, "parts" | "isStacked"> {
  readonly interval: Interval;
  readonly x: number;
  readonly column: number;
  readonly y: (value: number) => number;
}

function Column({ interval, x, column, y, parts, isStacked }: ColumnProps) {
  const gap = column > 4 ? 1 : 0;
  let below = 0;
  return (
    <>
      {parts.map(({ name, look, of }) => {
        const value = of(interval);
        const from = isStacked ? below : 0;
        below = from + value;
        if (value === 0) return null;
        const [top, height] = [y(from + value), Math.max(1, y(from) - y(from + value))];
        return <rect key={name} class={look} x={x} width={column - gap} y={top} height={height} />;
      })}
    </>
  );
}

export const whenOf = (from: number, stepMs: number): string => `${clockOf(from)}–${clockOf(from + stepMs)}`;

/** The parts of an interval in words, without those that are zero. */
function valuesOf(parts: readonly Part[], interval: Interval, format: ChartProps["format"]): string {
  const some = parts.filter(({ of }) => of(interval) > 0);
  if (some.length === 0) return "none";
  return some.map(({ name, of }) => `${format(of(interval))} ${name.toLowerCase()}`).join(", ");
}

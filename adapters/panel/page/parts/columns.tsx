// Columns
// Draws figures over time as columns.
//
//   Owns:          the size of the drawing, the legend, the axis of values, the columns, the values of a column in words.
//   Does not own:  the axis of time, pointing at a column (overview/charts/chart.tsx, answers/days.tsx), round values (scale.ts).

import type { ComponentChildren } from "preact";
import { countMarks, durationMark, timeMarks } from "./scale.ts";
import { duration } from "./time.tsx";

export const HEIGHT = 150;
const TOP = 14;
export const LEFT = 44;
const BOTTOM = 20;
/** The y of the line on which the columns stand, px. */
export const FLOOR = HEIGHT - BOTTOM;

export interface Part<T> {
  readonly name: string;
  readonly look: string;
  readonly of: (item: T) => number;
}

export interface Parts<T> {
  readonly parts: readonly Part<T>[];
  /** True if the parts of a column are stacked. Else each part begins at 0, and is drawn in front of the parts before it. */
  readonly isStacked: boolean;
}

/** The axis of values: which marks it has, and how values are written. */
export interface ValueAxis {
  readonly marks: (most: number) => readonly number[];
  readonly format: (value: number) => string;
  readonly formatMark: (value: number) => string;
}

export const count = (value: number): string => value.toLocaleString();
/** The properties of a drawing whose columns show counts. */
export const COUNTED = { isStacked: true, marks: countMarks, format: count, formatMark: count } as const;
/** The properties of a drawing whose columns show durations, ms. */
export const TIMED = {
  isStacked: false,
  marks: timeMarks,
  format: duration,
  formatMark: durationMark,
} as const;

/** The value of the highest column, not its height in px; at least 0. */
export function highestOf<T>(items: readonly T[], { parts, isStacked }: Parts<T>): number {
  const heights = items.map((item) => {
    const values = parts.map(({ of }) => of(item));
    return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  return Math.max(0, ...heights);
}

/** The parts of a column in words, without those that are zero. */
export function valuesOf<T>(
  parts: readonly Part<T>[],
  item: T | undefined,
  format: ValueAxis["format"],
): string {
  const some = item === undefined ? [] : parts.map(({ name, of }) => ({ name, value: of(item) }));
  const told = some.filter(({ value }) => value > 0);
  return told.map(({ name, value }) => `${format(value)} ${name.toLowerCase()}`).join(", ") || "none";
}

export const Legend = ({ parts }: { readonly parts: readonly Pick<Part<never>, "name" | "look">[] }) => (
  <ul class="legend">
    {parts.map(({ name, look }) => (
      <li key={name} class={look}>
        {name}
      </li>
    ))}
  </ul>
);

interface DrawingProps<T> extends Parts<T>, ValueAxis {
  /** What each column shows, in order; undefined for a column that shows nothing. */
  readonly items: readonly (T | undefined)[];
  /** The value of the highest column. */
  readonly highest: number;
  readonly width: number;
  /** The index of the column that is pointed at. */
  readonly at: number | undefined;
  /** The greatest width of a column, px. */
  readonly widest?: number;
  /** The axis of time, and what lies behind the columns. */
  readonly children: ComponentChildren;
}

export function Drawing<T>({
  items,
  highest,
  width,
  at,
  widest = Infinity,
  children,
  ...axis
}: DrawingProps<T>) {
  const levels = axis.marks(highest);
  const most = levels.at(-1) ?? 1;
  const y = (value: number): number => FLOOR - (value / most) * (FLOOR - TOP);
  const step = (width - LEFT) / Math.max(1, items.length);
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true">
      {levels.map((level) => (
        <g key={level}>
          <line class="level" x1={LEFT} x2={width} y1={y(level)} y2={y(level)} />
          <text x={LEFT - 6} y={y(level) + 4} text-anchor="end">
            {axis.formatMark(level)}
          </text>
        </g>
      ))}
      {children}
      {at !== undefined && <Stretch look="pointed" x={LEFT + at * step} width={step} />}
      {items.map(
        (item, index) =>
          item && (
            <Column
              key={index}
              {...axis}
              {...{ item, y }}
              x={LEFT + index * step}
              width={Math.min(widest, Math.max(1, step > 4 ? step - 1 : step))}
            />
          ),
      )}
      {items.length > 0 && highest === 0 && (
        <text class="nothing" x={(LEFT + width) / 2} y={(TOP + FLOOR) / 2} text-anchor="middle">
          None in this time
        </text>
      )}
    </svg>
  );
}

interface StretchProps {
  readonly look: string;
  readonly x: number;
  readonly width: number;
}

/** A stretch of time, over the whole height of the columns. */
export const Stretch = ({ look, x, width }: StretchProps) => (
  <rect class={look} x={x} width={width} y={TOP} height={FLOOR - TOP} />
);

/** The index of the column at a place in the drawing; undefined left of the columns. @param x px from the drawing's left edge. */
export function indexAt(x: number, width: number, count: number): number | undefined {
  const index = Math.floor(((x - LEFT) / (width - LEFT)) * count);
  return index < 0 || count === 0 ? undefined : Math.min(index, count - 1);
}
interface ColumnProps<T> extends Parts<T> {
  readonly item: T;
  readonly x: number;
  readonly width: number;
  readonly y: (value: number) => number;
}

function Column<T>({ item, parts, isStacked, x, width, y }: ColumnProps<T>) {
  let below = 0;
  return (
    <>
      {parts.map(({ name, look, of }) => {
        const value = of(item);
        const from = isStacked ? below : 0;
        below = from + value;
        if (value === 0) return null;
        const height = Math.max(1, y(from) - y(from + value));
        return <rect key={name} class={look} x={x} width={width} y={y(from) - height} height={height} />;
      })}
    </>
  );
}

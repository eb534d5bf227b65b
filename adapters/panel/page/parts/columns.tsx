// Columns
// The parts of a drawing that shows figures over time as columns.
//
//   Owns:          the drawing's sizes, the legend, the axis of values, a column, the values of a column in words.
//   Does not own:  the axis of time, pointing at a time (overview/charts/chart.tsx, answers/days.tsx), the marks (scale.ts).

export const HEIGHT = 150;
export const TOP = 14;
export const LEFT = 44;
const BOTTOM = 20;
/** The y of the line on which the columns stand, px. */
export const FLOOR = HEIGHT - BOTTOM;

/** One part of the columns, with its colour. */
export interface Part<T> {
  readonly name: string;
  readonly look: string;
  readonly of: (item: T) => number;
}

export interface Parts<T> {
  readonly parts: readonly Part<T>[];
  /** True if the parts of a column are stacked. Else every part begins at 0, and the lowest part is drawn in front. */
  readonly isStacked: boolean;
}

/** How a drawing wants its axis of values: which marks it has, and how values are written. */
export interface ValueAxis {
  readonly marks: (most: number) => readonly number[];
  readonly format: (value: number) => string;
  /** Formats a value for a mark of the axis. */
  readonly formatMark: (value: number) => string;
}

/** The value of the highest column, not its height in px; at least 0. */
export function highestOf<T>(items: readonly T[], { parts, isStacked }: Parts<T>): number {
  const heights = items.map((item) => {
    const values = parts.map(({ of }) => of(item));
    return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  return Math.max(0, ...heights);
}

/** @param levels the marks of the axis, the lowest first. @returns a function from a value to its y in the drawing, px. */
export function heightBy(levels: readonly number[]): (value: number) => number {
  const most = levels.at(-1) ?? 1;
  return (value) => FLOOR - (value / most) * (FLOOR - TOP);
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

interface LevelsProps extends Pick<ValueAxis, "formatMark"> {
  readonly levels: readonly number[];
  readonly y: (value: number) => number;
  readonly width: number;
}

export const Levels = ({ levels, y, width, formatMark }: LevelsProps) => (
  <>
    {levels.map((level) => (
      <g key={level}>
        <line class="level" x1={LEFT} x2={width} y1={y(level)} y2={y(level)} />
        <text x={LEFT - 6} y={y(level) + 4} text-anchor="end">
          {formatMark(level)}
        </text>
      </g>
    ))}
  </>
);

export const Nothing = ({ width }: { readonly width: number }) => (
  <text class="nothing" x={(LEFT + width) / 2} y={(TOP + FLOOR) / 2} text-anchor="middle">
    None in this time
  </text>
);

interface ColumnProps<T> extends Parts<T> {
  readonly item: T;
  readonly x: number;
  readonly width: number;
  readonly y: (value: number) => number;
}

export function Column<T>({ item, parts, isStacked, x, width, y }: ColumnProps<T>) {
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

/** The width of a column, if the next one begins `space` px further on. */
export const widthIn = (space: number): number => space - (space > 4 ? 1 : 0);

// Days
// Draws one figure as a column for each day. Pointing at a day reads its number out; a press lists the approvals it
// counts.
//
//   Owns:          the drawing, its text alternative.
//   Does not own:  the numbers and their words (figures.tsx), the marks (parts/scale.ts).
//
// ANSWERS-DAYS-1. A person who cannot see the drawing gets the same numbers as a table.

import { useRef, useState } from "preact/hooks";
import type { AnswersRow } from "../../../../runtime/reading/figures/answers.ts";
import { useWidth } from "../parts/width.ts";

export interface DayPart {
  readonly name: string;
  readonly look: string;
  readonly of: (row: AnswersRow) => number;
}

export interface DaysProps {
  readonly title: string;
  /** Oldest first, as 2026-01-31. */
  readonly days: readonly string[];
  readonly rows: ReadonlyMap<string, AnswersRow>;
  readonly parts: readonly DayPart[];
  /** True if the parts of a column stand upon one another. Else each begins at 0, with the lowest in front. */
  readonly isStacked: boolean;
  readonly marks: (most: number) => readonly number[];
  readonly format: (value: number) => string;
  readonly formatMark: (value: number) => string;
  /** True if nothing else on the page explains the colours. */
  readonly hasLegend: boolean;
  /** The sentence shown while no day is pointed at. */
  readonly summary: string;
  readonly onDay: (day: string) => void;
}

const HEIGHT = 150;
const TOP = 14;
const LEFT = 44;
const BOTTOM = 20;
const MARK_WIDTH = 84;

export function Days(props: DaysProps) {
  const { title, days, rows, parts, format, summary, hasLegend, onDay } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [at, point] = useState<number>();
  const indexAt = (x: number): number | undefined => {
    const index = Math.floor(((x - LEFT) / (width - LEFT)) * days.length);
    return index < 0 || days.length === 0 ? undefined : Math.min(index, days.length - 1);
  };
  const day = at === undefined ? undefined : days[at];
  return (
    <figure class="tile series">
      <figcaption>
        <h3>{title}</h3>
        {hasLegend && (
          <ul class="legend">
            {parts.map(({ name, look }) => (
              <li key={name} class={look}>
                {name}
              </li>
            ))}
          </ul>
        )}
        <p class="quiet read-out">
          {day === undefined ? summary : `${day}: ${valuesOf(parts, rows.get(day), format)}`}
        </p>
      </figcaption>
      <div
        class="plot"
        ref={box}
        onPointerMove={({ offsetX }) => point(indexAt(offsetX))}
        onPointerLeave={() => point(undefined)}
        onClick={({ offsetX }) => {
          const pressed = days[indexAt(offsetX) ?? -1];
          if (pressed !== undefined && rows.has(pressed)) onDay(pressed);
        }}
      >
        {width > 0 && <Drawing {...props} at={at} width={width} />}
      </div>
      <AsText {...props} />
    </figure>
  );
}

/** The parts of a day in words, without those that are zero. */
function valuesOf(
  parts: readonly DayPart[],
  row: AnswersRow | undefined,
  format: DaysProps["format"],
): string {
  const some = row ? parts.filter(({ of }) => of(row) > 0) : [];
  if (!row || some.length === 0) return "none";
  return some.map(({ name, of }) => `${format(of(row))} ${name.toLowerCase()}`).join(", ");
}

interface DrawingProps extends DaysProps {
  readonly width: number;
  readonly at: number | undefined;
}

function Drawing({ days, rows, parts, isStacked, marks, formatMark, width, at }: DrawingProps) {
  const heights = [...rows.values()].map((row) => {
    const values = parts.map(({ of }) => of(row));
    return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  const levels = marks(Math.max(0, ...heights));
  const most = levels.at(-1) ?? 1;
  const floor = HEIGHT - BOTTOM;
  const y = (value: number): number => floor - (value / most) * (floor - TOP);
  const column = (width - LEFT) / Math.max(1, days.length);
  const every = Math.max(1, Math.ceil(days.length / Math.max(1, Math.floor((width - LEFT) / MARK_WIDTH))));
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
      {days.map(
        (day, index) =>
          index % every === 0 &&
          LEFT + index * column < width - 34 && (
            <text key={day} x={LEFT + index * column} y={HEIGHT - 4}>
              {day.slice(5)}
            </text>
          ),
      )}
      {at !== undefined && (
        <rect class="pointed" x={LEFT + at * column} width={column} y={TOP} height={floor - TOP} />
      )}
      {days.map((day, index) => {
        const row = rows.get(day);
        return (
          row && <Column key={day} {...{ row, parts, isStacked, y, column }} x={LEFT + index * column} />
        );
      })}
      {Math.max(0, ...heights) === 0 && (
        <text class="nothing" x={(LEFT + width) / 2} y={(TOP + floor) / 2} text-anchor="middle">
          None in this time
        </text>
      )}
    </svg>
  );
}

interface ColumnProps extends Pick<DaysProps, "parts" | "isStacked"> {
  readonly row: AnswersRow;
  readonly x: number;
  readonly column: number;
  readonly y: (value: number) => number;
}

/** The greatest width of a column, so that a drawing of two days still shows bars. */
const BAR_MAX = 48;

function Column({ row, parts, isStacked, x, column, y }: ColumnProps) {
  const width = Math.min(BAR_MAX, Math.max(1, column - (column > 4 ? 1 : 0)));
  let below = 0;
  return (
    <>
      {parts.map(({ name, look, of }) => {
        const value = of(row);
        const from = isStacked ? below : 0;
        below = from + value;
        if (value === 0) return null;
        const height = Math.max(1, y(from) - y(from + value));
        return <rect key={name} class={look} x={x} width={width} y={y(from) - height} height={height} />;
      })}
    </>
  );
}

/** ANSWERS-DAYS-1 */
const AsText = ({ title, days, rows, parts, format }: DaysProps) => (
  <div class="unseen">
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {parts.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days
          .toReversed()
          .flatMap((day) => rows.get(day) ?? [])
          .map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              {parts.map(({ name, of }) => (
                <td key={name}>{format(of(row))}</td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  </div>
);

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
} from "../parts/columns.tsx";
import { useWidth } from "../parts/width.ts";

export type DayPart = Part<AnswersRow>;

export interface DaysProps extends Parts<AnswersRow>, ValueAxis {
  readonly title: string;
  /** The days that get a column, oldest first, each as 2026-01-31. */
  readonly days: readonly string[];
  readonly rows: ReadonlyMap<string, AnswersRow>;
  /** True if nothing else on the page explains the colours. */
  readonly hasLegend: boolean;
  /** The sentence shown while no day is pointed at. */
  readonly summary: string;
  readonly onDay: (day: string) => void;
}

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
        <h2>{title}</h2>
        {hasLegend && <Legend parts={parts} />}
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

interface DrawingProps extends DaysProps {
  readonly width: number;
  readonly at: number | undefined;
}

function Drawing({ days, rows, width, at, marks, formatMark, ...columns }: DrawingProps) {
  const highest = highestOf([...rows.values()], columns);
  const levels = marks(highest);
  const y = heightBy(levels);
  const column = (width - LEFT) / Math.max(1, days.length);
  const every = Math.max(1, Math.ceil(days.length / Math.max(1, Math.floor((width - LEFT) / MARK_WIDTH))));
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true">
      <Levels {...{ levels, y, width, formatMark }} />
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
        <rect class="pointed" x={LEFT + at * column} width={column} y={TOP} height={FLOOR - TOP} />
      )}
      {days.map((day, index) => {
        const row = rows.get(day);
        return (
          row && (
            <Column
              key={day}
              {...{ y, parts: columns.parts, isStacked: columns.isStacked }}
              item={row}
              x={LEFT + index * column}
              width={Math.min(BAR_MAX, Math.max(1, widthIn(column)))}
            />
          )
        );
      })}
      {highest === 0 && <Nothing width={width} />}
    </svg>
  );
}

/** The greatest width of a column, so that a drawing of two days still shows bars. */
const BAR_MAX = 48;

/** The numbers as a table, for people who cannot see the drawing (ANSWERS-DAYS-1). */
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

// Days
// Draws one figure as a column for each day. Pointing at a day shows its number; a press lists the counted approvals.
//
//   Owns:          the names of the days, pointing at a day, a table with the numbers of the drawing.
//   Does not own:  the numbers and the words about them (figures.tsx), drawing the columns (parts/columns.tsx).
//
// ANSWERS-DAYS-1. A person who cannot see the drawing of the days gets the same numbers as a table.

import { useRef, useState } from "preact/hooks";
import type { AnswersRow } from "../../../../runtime/reading/figures/answers.ts";
import {
  Drawing,
  HEIGHT,
  highestOf,
  indexAt,
  LEFT,
  Legend,
  type Part,
  type Parts,
  type ValueAxis,
  valuesOf,
} from "../parts/columns.tsx";
import { Heads } from "../parts/heads.tsx";
import { useWidth } from "../parts/size.ts";

export type DayPart = Part<AnswersRow>;

export interface DaysProps extends Parts<AnswersRow>, ValueAxis {
  readonly title: string;
  /** The days that get a column, oldest first, each as 2026-01-31. */
  readonly days: readonly string[];
  readonly rows: ReadonlyMap<string, AnswersRow>;
  /** True to draw a legend, because nothing else on the page explains the colours. */
  readonly hasLegend?: true;
  readonly summary: string;
  readonly onDay: (day: string) => void;
}

const MARK_WIDTH = 84;
/** The greatest width of a column, so that a drawing of two days still shows bars. */
const BAR_MAX = 48;

export function Days(props: DaysProps) {
  const { title, days, rows, parts, format, summary, hasLegend, onDay } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [at, point] = useState<number>();
  const day = at === undefined ? undefined : days[at];
  const items = days.map((each) => rows.get(each));
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
        onPointerMove={({ offsetX }) => point(indexAt(offsetX, width, days.length))}
        onPointerLeave={() => point(undefined)}
        onClick={({ offsetX }) => {
          const pressed = days[indexAt(offsetX, width, days.length) ?? -1];
          if (pressed !== undefined && rows.has(pressed)) onDay(pressed);
        }}
      >
        {width > 0 && (
          <Drawing
            {...props}
            {...{ at, width, items }}
            highest={highestOf(
              items.filter((row) => row !== undefined),
              props,
            )}
            widest={BAR_MAX}
          >
            <DayNames days={days} width={width} />
          </Drawing>
        )}
      </div>
      <AsText {...props} />
    </figure>
  );
}

/** The names of the days below the columns. If there is no room for all names, only every second, third, … day has its name. */
function DayNames({ days, width }: { readonly days: readonly string[]; readonly width: number }) {
  const step = (width - LEFT) / Math.max(1, days.length);
  const every = Math.max(1, Math.ceil(days.length / Math.max(1, Math.floor((width - LEFT) / MARK_WIDTH))));
  return days.map(
    (day, index) =>
      index % every === 0 &&
      LEFT + index * step < width - 34 && (
        <text key={day} x={LEFT + index * step} y={HEIGHT - 4}>
          {day.slice(5)}
        </text>
      ),
  );
}

const AsText = ({ title, days, rows, parts, format }: DaysProps) => (
  <div class="unseen">
    <table>
      <caption>{title}</caption>
      <Heads names={["Day", ...parts.map(({ name }) => name)]} />
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

// Bars
// One figure of the last hour, one bar per minute.
//
//   Owns:          the drawing.
//   Does not own:  the numbers.

import type { Bucket } from "../../../../runtime/reading/series.ts";

interface Props {
  readonly title: string;
  readonly series: readonly Bucket[];
  readonly height: (bucket: Bucket) => number;
  readonly unit: string;
  /** Where now is not what the last minute counts. */
  readonly current?: number;
  readonly note?: string;
}

const WIDTH = 6;
const TOP = 60;

export function Bars({ title, series, height: counted, unit, current = 0, note }: Props) {
  const last = series.at(-1);
  const height = (bucket: Bucket): number => Math.max(counted(bucket), bucket === last ? current : 0);
  const most = Math.max(1, ...series.map(height));
  return (
    <figure class="tile bars">
      <figcaption>
        <h2>{title}</h2>
        <p class="quiet">
          most {most === 1 && series.every((each) => height(each) === 0) ? 0 : most.toLocaleString()} {unit}
          {last && `, now ${height(last).toLocaleString()}`}
          {note !== undefined && ` · ${note}`}
        </p>
      </figcaption>
      <svg
        viewBox={`0 0 ${series.length * WIDTH} ${TOP}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}, the last hour`}
      >
        {series.map((bucket, index) => {
          const tall = (height(bucket) / most) * (TOP - 2);
          return (
            <rect
              key={bucket.at}
              x={index * WIDTH}
              width={WIDTH - 1}
              y={TOP - Math.max(tall, 1)}
              height={Math.max(tall, 1)}
              class={tall > 0 ? "some" : "none"}
            >
              <title>
                {new Date(bucket.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}:{" "}
                {height(bucket)} {unit}
              </title>
            </rect>
          );
        })}
      </svg>
      <p class="quiet axis" aria-hidden="true">
        <span>an hour ago</span>
        {note === undefined && series.every((each) => height(each) === 0) && (
          <span>nothing in this hour</span>
        )}
        <span>now</span>
      </p>
    </figure>
  );
}

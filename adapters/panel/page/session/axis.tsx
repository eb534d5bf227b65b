// Axis
// The time that the bars of a request stand on: marks from its beginning, and its wall time at both ends.
//
//   Owns:          the marks' words.
//   Does not own:  where they stand (marks.ts), the bars (timeline.tsx).

import { now } from "../engine/engine.ts";
import { useValue } from "../engine/value.ts";
import { duration } from "../parts/time.tsx";
import { marksOf } from "./marks.ts";
import type { RequestRow } from "./model.ts";

/** A row of the table of calls: the marks stand above the bars, however wide these are. */
export function AxisRow({ row }: { readonly row: RequestRow }) {
  return (
    <tr class="axis-row">
      <td colSpan={4} />
      <td>
        {row.request.completedAt === undefined ? (
          <LiveAxis row={row} />
        ) : (
          <Marks from={row.from} end={row.to} />
        )}
      </td>
    </tr>
  );
}

/** An axis that moves on with its bars. */
function LiveAxis({ row: { from, to } }: { readonly row: RequestRow }) {
  const current = useValue(now);
  return <Marks from={from} end={Math.max(to, Math.min(current, to + 3_600_000))} />;
}

function Marks({ from, end }: { readonly from: number; readonly end: number }) {
  const whole = Math.max(1, end - from);
  const marks = marksOf(whole);
  const words = `From ${new Date(from).toLocaleTimeString()}, ${duration(whole)} in all`;
  return (
    <div class="time-axis" role="img" aria-label={words} title={words}>
      {marks.map((at) => (
        <span
          key={at}
          title={new Date(from + at).toLocaleTimeString()}
          style={{ insetInlineStart: `${((at / whole) * 100).toFixed(2)}%` }}
        >
          {at === 0 ? "0" : duration(at)}
        </span>
      ))}
    </div>
  );
}

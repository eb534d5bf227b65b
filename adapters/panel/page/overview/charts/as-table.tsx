// As table
// The numbers of a chart as a table, for people who use a screen reader or want to copy them.
//
//   Owns:          the table.
//   Does not own:  the numbers (the engine).

import { useState } from "preact/hooks";
import type { Interval } from "../../../../../runtime/reading/figures/series.ts";
import { duration } from "../../parts/time.tsx";
import { whenOf } from "./chart.tsx";

interface Props {
  readonly items: readonly Interval[];
  readonly stepMs: number;
}

type Cell = (interval: Interval) => string;
const COLUMNS: readonly (readonly [name: string, cell: Cell])[] = [
  ["Completed", ({ completed }) => completed.toLocaleString()],
  ["Failed", ({ failed }) => failed.toLocaleString()],
  ["Denied", ({ denied }) => denied.toLocaleString()],
  ["No result reported", ({ unreported }) => unreported.toLocaleString()],
  ["Waiting for you", ({ waiting }) => waiting.toLocaleString()],
  ["Answers", ({ answered }) => answered.toLocaleString()],
  ["Average wait", ({ waitedMs, answered }) => (answered === 0 ? "" : duration(waitedMs / answered))],
  ["Longest wait", ({ waitedMaxMs, answered }) => (answered === 0 ? "" : duration(waitedMaxMs))],
];

export function AsTable({ items, stepMs }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="as-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show as a table</summary>
      {isOpen && (
        <div class="wide" tabIndex={0} role="region" aria-label="Over time, as a table">
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {COLUMNS.map(([name]) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.toReversed().map((each) => (
                <tr key={each.at}>
                  <th scope="row">{whenOf(each.at, stepMs)}</th>
                  {COLUMNS.map(([name, cell]) => (
                    <td key={name}>{cell(each)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

// As table
// Shows the numbers of a chart as a table, for people who use a screen reader or want to copy the numbers.
//
//   Owns:          the form of the table of numbers.
//   Does not own:  the numbers (the engine).

import { useState } from "preact/hooks";
import type { Interval } from "../../../../../runtime/reading/figures/series.ts";
import { Heads } from "../../parts/heads.tsx";
import { duration } from "../../parts/time.tsx";
import { whenOf } from "./chart.tsx";

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

export function AsTable({ items, stepMs }: { readonly items: readonly Interval[]; readonly stepMs: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="as-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show as a table</summary>
      {isOpen && (
        <div class="wide" tabIndex={0} role="region" aria-label="Over time, as a table">
          <table>
            <Heads names={["Time", ...COLUMNS.map(([name]) => name)]} />
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

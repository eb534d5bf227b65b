// Charts
// Charts of the last minutes, hours or day: how calls ended, how many approvals were pending, how soon they were answered.
//
//   Owns:          which charts there are, their table, the range of time, reading the figures again after changes.
//   Does not own:  drawing a chart (chart.tsx), counting (the engine).

import { useState } from "preact/hooks";
import type { Interval, SeriesAnswer, SeriesSpan } from "../../../../../runtime/reading/figures/series.ts";
import { ApiError, ask } from "../../engine/api.ts";
import { now } from "../../engine/engine.ts";
import { type Reading, useReadings } from "../../engine/readings.ts";
import { useSelected, useValue } from "../../engine/value.ts";
import { inbox } from "../../inbox/model.ts";
import { Choice, namesOf } from "../../parts/choice.tsx";
import { counted } from "../../parts/counted.ts";
import { count, COUNTED, TIMED } from "../../parts/columns.tsx";
import { Heads } from "../../parts/heads.tsx";
import { clockOf, duration } from "../../parts/time.tsx";
import { filterNamed, useFilters } from "../../route.ts";
import { oldestIn } from "../glance.tsx";
import { Chart, type ChartPart, whenOf } from "./chart.tsx";

const RANGES: Readonly<Record<SeriesSpan, string>> = {
  "15m": "15 min",
  "1h": "1 h",
  "6h": "6 h",
  "24h": "24 h",
};
const SPANS = namesOf(RANGES);
/** How often the figures are read even if nothing changes, ms: the intervals move on with time. */
const ANYWAY_MS = 30_000;

const ENDS: readonly ChartPart[] = [
  { name: "Completed", look: "completed", of: ({ completed }) => completed },
  { name: "Failed", look: "failed", of: ({ failed }) => failed },
  { name: "Denied", look: "denied", of: ({ denied }) => denied },
  { name: "No result reported", look: "unreported", of: ({ unreported }) => unreported },
];
const WAITING: readonly ChartPart[] = [{ name: "Waiting", look: "waiting", of: ({ waiting }) => waiting }];
const ANSWERS: readonly ChartPart[] = [
  { name: "Longest", look: "longest", of: ({ waitedMaxMs }) => waitedMaxMs },
  {
    name: "Average",
    look: "average",
    of: ({ waitedMs, answered }) => (answered === 0 ? 0 : waitedMs / answered),
  },
];

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

export function Charts() {
  const [span, choose] = useFilters(
    (): SeriesSpan => SPANS.find((each) => each === filterNamed("range")) ?? "1h",
  );
  const series = useSeries(span);
  const [at, point] = useState<number>();
  const oldest = useSelected(inbox, oldestIn);
  const current = useValue(now);
  const { items = [], stepMs = 60_000, since } = series ?? {};
  const shared = { items, stepMs, since, at, point };
  const waitingNow =
    oldest === undefined
      ? "nobody waits now"
      : `waiting now since ${duration(Math.max(0, current - oldest))}`;
  const last = items.at(-1)?.waiting ?? 0;
  return (
    <section aria-labelledby="charts-title" class="charts">
      <header class="title-row">
        <h2 id="charts-title">Over time</h2>
        <Choice
          label="How far back"
          names={RANGES}
          chosen={span}
          choose={(each) => {
            point(undefined);
            choose({ range: each === "1h" ? "" : each });
          }}
        />
      </header>
      {since !== undefined && (
        <p class="quiet">What happened before {clockOf(since)} is still being counted.</p>
      )}
      <div class="tiles">
        <Chart
          {...shared}
          {...COUNTED}
          title="Calls that ended"
          parts={ENDS}
          summary={`${count(sumOf(items, "ended"))} in the last ${RANGES[span]}`}
        />
        <Chart
          {...shared}
          {...COUNTED}
          title="Waiting for you"
          parts={WAITING}
          summary={`${count(last)} now, at most ${count(Math.max(0, ...items.map(({ waiting }) => waiting)))}`}
        />
        <Chart
          {...shared}
          {...TIMED}
          title="Time to answer"
          parts={ANSWERS}
          summary={`${answersOf(items)}; ${waitingNow}`}
        />
      </div>
      <AsTable {...{ items, stepMs }} />
    </section>
  );
}

/** The numbers as a table, for people who use a screen reader or want to copy the numbers. */
function AsTable({ items, stepMs }: { readonly items: readonly Interval[]; readonly stepMs: number }) {
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

const sumOf = (items: readonly Interval[], name: "ended" | "answered" | "waitedMs"): number =>
  items.reduce((sum, each) => sum + each[name], 0);

function answersOf(items: readonly Interval[]): string {
  const answered = sumOf(items, "answered");
  if (answered === 0) return "no answers in this time";
  const average = duration(sumOf(items, "waitedMs") / answered);
  return `${counted(answered, "answer")}, ${average} on average`;
}

function useSeries(span: SeriesSpan): SeriesAnswer | undefined {
  const [series, show] = useState<SeriesAnswer>();
  const read = async ({ signal, again }: Reading): Promise<void> => {
    try {
      const answer = await ask<SeriesAnswer>("/v1/stats/series", { span }, signal);
      show(answer);
      // With each request the engine counts further back. Until it has counted the whole range (`since`), the page asks again.
      if (answer.since !== undefined) again();
    } catch (error) {
      // An ApiError is not reported here, because other parts of the page report a lost connection.
      if (!(error instanceof ApiError) && !signal.aborted) throw error;
    }
  };
  useReadings(read, [span], undefined, ANYWAY_MS);
  return series;
}

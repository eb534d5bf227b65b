// Charts
// How calls ended, how many approvals were pending and how soon they were answered, over the last minutes, hours or day.
//
//   Owns:          which charts there are, the range and its place in the address, reading the figures again after
//                  changes.
//   Does not own:  drawing (chart.tsx), counting (the engine).

import { useEffect, useState } from "preact/hooks";
import type { Interval, SeriesAnswer, SeriesSpan } from "../../../../../runtime/reading/figures/series.ts";
import { ApiError, ask } from "../../engine/api.ts";
import { follow, now } from "../../engine/engine.ts";
import { paced } from "../../engine/pace.ts";
import { useSelected, useValue } from "../../engine/value.ts";
import { inbox } from "../../inbox/model.ts";
import { Choice, namesOf } from "../../parts/choice.tsx";
import { countMarks, durationMark, timeMarks } from "../../parts/scale.ts";
import { clockOf, duration } from "../../parts/time.tsx";
import { filterNamed, keepFilter } from "../../route.ts";
import { oldestIn } from "../glance.tsx";
import { AsTable } from "./as-table.tsx";
import { Chart, type ChartPart } from "./chart.tsx";

const RANGES: Readonly<Record<SeriesSpan, string>> = {
  "15m": "15 min",
  "1h": "1 h",
  "6h": "6 h",
  "24h": "24 h",
};
const SPANS = namesOf(RANGES);
const AGAIN_MS = 1_000;
/** How often the figures are read without any change, ms: the intervals move on with time. */
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

export function Charts() {
  const [span, choose] = useSpan();
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
            choose(each);
          }}
        />
      </header>
      {since !== undefined && (
        <p class="quiet">What happened before {clockOf(since)} is still being counted.</p>
      )}
      <div class="tiles">
        <Chart
          {...shared}
          {...{ title: "Calls that ended", parts: ENDS, ...COUNTED }}
          summary={`${count(sumOf(items, "ended"))} in the last ${RANGES[span]}`}
        />
        <Chart
          {...shared}
          {...{ title: "Waiting for you", parts: WAITING, ...COUNTED }}
          summary={`${count(last)} now, at most ${count(Math.max(0, ...items.map(({ waiting }) => waiting)))}`}
        />
        <Chart
          {...shared}
          {...{
            title: "Time to answer",
            parts: ANSWERS,
            isStacked: false,
            marks: timeMarks,
            format: duration,
            formatMark: durationMark,
          }}
          summary={`${answersOf(items)}; ${waitingNow}`}
        />
      </div>
      <AsTable {...{ items, stepMs }} />
    </section>
  );
}

const count = (value: number): string => value.toLocaleString();
const COUNTED = { isStacked: true, marks: countMarks, format: count, formatMark: count } as const;

const sumOf = (items: readonly Interval[], name: "ended" | "answered" | "waitedMs"): number =>
  items.reduce((sum, each) => sum + each[name], 0);

function answersOf(items: readonly Interval[]): string {
  const answered = sumOf(items, "answered");
  if (answered === 0) return "no answers in this time";
  const average = duration(sumOf(items, "waitedMs") / answered);
  return `${count(answered)} ${answered === 1 ? "answer" : "answers"}, ${average} on average`;
}

/** The chosen range, kept in the address, and a function that sets it. */
function useSpan(): readonly [SeriesSpan, (span: SeriesSpan) => void] {
  const named = (): SeriesSpan => SPANS.find((each) => each === filterNamed("range")) ?? "1h";
  const [span, setSpan] = useState(named);
  useEffect(() => {
    const look = (): void => setSpan(named());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  return [
    span,
    (next) => {
      setSpan(next);
      keepFilter("range", next === "1h" ? "" : next);
    },
  ];
}

function useSeries(span: SeriesSpan): SeriesAnswer | undefined {
  const [series, show] = useState<SeriesAnswer>();
  useEffect(() => {
    const leaving = new AbortController();
    const look = async (): Promise<void> => {
      try {
        const answer = await ask<SeriesAnswer>("/v1/stats/series", { span }, leaving.signal);
        show(answer);
        // The engine has not counted all of the range yet: each further request counts further back.
        if (answer.since !== undefined) again.ask();
      } catch (error) {
        // Other parts of the page report a lost connection. If the view was closed, nobody needs the figures any more.
        if (!(error instanceof ApiError) && !leaving.signal.aborted) throw error;
      }
    };
    const again = paced(look, AGAIN_MS);
    again.ask();
    const anyway = setInterval(again.ask, ANYWAY_MS);
    const ends = [follow.onResync(again.ask), follow.onChanges(again.ask)];
    return () => {
      leaving.abort();
      again.end();
      clearInterval(anyway);
      for (const end of ends) end();
    };
  }, [span]);
  return series;
}

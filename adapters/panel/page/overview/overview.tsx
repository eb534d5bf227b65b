// Overview
// The state of the whole engine: how many in which state, how much happens, how long people are waited for, what
// failed.
//
//   Owns:          refreshing while it is visible; the order of the parts.
//   Does not own:  each part.

import { useEffect, useState } from "preact/hooks";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { Stats } from "../../../../runtime/reading/stats.ts";
import type { Bucket } from "../../../../runtime/reading/series.ts";
import { ApiError, ask } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import { paced } from "../engine/pace.ts";
import { Since } from "../parts/time.tsx";
import { Bars } from "./bars.tsx";
import { DeadLetters } from "./dead-letters.tsx";
import { Recovered } from "./recovered.tsx";
import { Requests } from "./requests.tsx";
import { Sessions } from "./sessions.tsx";
import { moved } from "./standing.ts";

const AGAIN_MS = 1_000;

/** How the engine stands: moved on by each change, asked again at most once a second. */
function useStanding() {
  const [stats, showStats] = useState<Stats>();
  const [series, showSeries] = useState<readonly Bucket[]>([]);
  const [failure, fail] = useState<ApiError>();
  useEffect(() => {
    const leaving = new AbortController();
    // Told while an answer is on its way: the answer may not count them.
    let told: readonly StateChange[] = [];
    const look = async (): Promise<void> => {
      told = [];
      try {
        const hour = ask<{ items: readonly Bucket[] }>("/v1/stats/series", {}, leaving.signal);
        // Whoever asks first after a start waits for it; the rest does not.
        void hour.then(({ items }) => showSeries(items)).catch(() => undefined);
        const now = await ask<Stats>("/v1/stats", {}, leaving.signal);
        showStats(moved(now, told));
        await hour;
        fail(undefined);
      } catch (error) {
        if (error instanceof ApiError) fail(error);
      }
    };
    const again = paced(look, AGAIN_MS);
    again.ask();
    const ends = [
      follow.onResync(again.ask),
      follow.onChanges((changes) => {
        told = [...told, ...changes];
        showStats((known) => known && moved(known, changes));
        again.ask();
      }),
    ];
    return () => {
      leaving.abort();
      again.end();
      for (const end of ends) end();
    };
  }, []);
  return { stats, series, failure };
}

export function Overview() {
  const { stats, series, failure } = useStanding();
  if (failure)
    return (
      <p class="failure" role="alert">
        {failure.message} {failure.next}
      </p>
    );
  if (!stats) return <p class="quiet loading">Asking the engine…</p>;
  return (
    <section aria-labelledby="overview-title" class="overview">
      <header class="title-row">
        <h1 id="overview-title">Overview</h1>
        <Position stats={stats} />
      </header>
      <div class="tiles">
        {(["sessions", "requests", "approvals"] as const).map((kind) => (
          <Counts key={kind} kind={kind} counts={stats.counts[kind]} />
        ))}
      </div>
      <Hour series={series} />
      <Sessions />
      <Requests />
      <DeadLetters count={stats.deads} />
      {stats.recovered && <Recovered report={stats.recovered} />}
    </section>
  );
}

/** How far the engine is, in words; the numbers an operator compares are in the title. */
function Position({ stats: { epoch, position, at, lag } }: { readonly stats: Stats }) {
  const parts = [
    `${counted(position, "message")} taken in`,
    lag.journal === 0 ? "up to date" : `${counted(lag.journal, "message")} not worked through yet`,
    lag.outlet === 0 ? "everything published" : `${counted(lag.outlet, "change")} still to publish`,
  ];
  const title = `Start ${epoch} of this engine (its epoch), at journal entry ${position}; ${lag.journal} entries behind, ${lag.outlet} changes to publish`;
  return (
    <p class="quiet" title={title}>
      {parts.join(" · ")}
      {at > 0 && (
        <>
          {" · the last "}
          <Since at={at} />
          {" ago"}
        </>
      )}
    </p>
  );
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString()} ${what}${count === 1 ? "" : "s"}`;

function Hour({ series }: { readonly series: readonly Bucket[] }) {
  const answered = series.reduce((sum, { answered: n }) => sum + n, 0);
  const waitedMs = series.reduce((sum, each) => sum + each.waitedMs, 0);
  const note =
    answered === 0
      ? "no answers in this hour"
      : `${answered} ${answered === 1 ? "answer" : "answers"}, ${Math.round(waitedMs / answered / 1000)} s on average`;
  return (
    <div class="tiles">
      <Bars title="Calls ended, a minute" series={series} height={({ ended }) => ended} unit="calls" />
      <Bars title="Changes, a minute" series={series} height={({ changes }) => changes} unit="changes" />
      <Bars
        title="Longest wait for a person"
        series={series}
        height={({ waitedMaxMs }) => Math.round(waitedMaxMs / 1000)}
        unit="s"
        note={note}
      />
    </div>
  );
}

interface CountsProps {
  readonly kind: string;
  readonly counts: Readonly<Record<string, number>>;
}

function Counts({ kind, counts }: CountsProps) {
  return (
    <article class="tile">
      <h2>{kind}</h2>
      <dl class="counts">
        {Object.entries(counts).map(([state, count]) => (
          <div key={state} class={count === 0 ? "none" : ""}>
            <dt>
              <span class={`chip ${state}`}>{state}</span>
            </dt>
            <dd>{count.toLocaleString()}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

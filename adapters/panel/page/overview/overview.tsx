// Overview
// The overview of the whole engine: how many actors are in which state, how long approvals wait, what failed.
//
//   Owns:          reading the figures again while the page is visible, the order of the parts; the section about the engine's
//                  last start.
//   Does not own:  what each part shows.

import { useState } from "preact/hooks";
import type { Page } from "../../../../runtime/reading/paging.ts";
import type { Stats, StatsWithin } from "../../../../runtime/reading/figures/stats.ts";
import { ApiError, ask } from "../engine/api.ts";
import { type Reading, useReadings } from "../engine/readings.ts";
import { styled } from "../look/style.ts";
import { counted } from "../parts/counted.ts";
import { Failure } from "../parts/failure.tsx";
import { labelOf } from "../parts/words.ts";
import { hrefOf } from "../route.ts";
import { Charts } from "./charts/charts.tsx";
import { Glance } from "./glance.tsx";
import { Lists } from "./lists.tsx";
import { goingOn, moved } from "./standing.ts";
import type { Recovered as Report } from "../../../../runtime/outbound/recovery.ts";
import { Since } from "../parts/time.tsx";

await styled("overview");

const WAITING = { state: "waiting", limit: 100 } as const;

/** The engine's figures. Each change updates them at once; after changes, they are also read again, at most once a second. */
function useStanding() {
  const [stats, showStats] = useState<Stats | StatsWithin>();
  const [waiting, showWaiting] = useState("0");
  const [failure, fail] = useState<ApiError>();
  const read = async ({ signal, told }: Reading): Promise<void> => {
    try {
      // The figures and the waiting requests are read together: the page subtracts the waiting requests from the processing ones.
      const [standing, held] = await Promise.all([
        ask<Stats | StatsWithin>("/v1/stats", {}, signal),
        ask<Page<object>>("/v1/requests", WAITING, signal),
      ]);
      showStats(moved(standing, told()));
      showWaiting(`${held.items.length}${held.nextCursor === undefined ? "" : "+"}`);
      fail(undefined);
    } catch (error) {
      if (error instanceof ApiError) fail(error);
    }
  };
  useReadings(read, [], (changes) => showStats((known) => known && moved(known, changes)));
  return { stats, waiting, failure };
}

export function Overview() {
  const { stats, waiting, failure } = useStanding();
  if (failure) return <Failure>{failure.words}</Failure>;
  if (!stats) return <p class="quiet loading">Asking the engine…</p>;
  const isEmpty = Object.values(stats.counts.sessions).every((count) => count === 0);
  return (
    <section aria-labelledby="overview-title" class="overview">
      <header class="title-row">
        <h1 id="overview-title">Overview</h1>
        {"position" in stats && <Position stats={stats} />}
      </header>
      {isEmpty && <Beginning />}
      <Glance counts={stats.counts} waiting={waiting} />
      {!isEmpty && (
        <>
          <div class="tiles">
            <Counts kind="sessions" counts={stats.counts.sessions} />
            <Counts kind="requests" counts={stats.counts.requests} waiting={waiting} />
            <Counts kind="approvals" counts={stats.counts.approvals} />
          </div>
          {"position" in stats && <Charts />}
          <Lists />
        </>
      )}
      {"recovered" in stats && <Recovered report={stats.recovered} />}
    </section>
  );
}

const Beginning = () => (
  <p>
    No session has come yet. Run <code>npx signalbox install</code>, then start your agent: its sessions are
    listed here.
  </p>
);

/** How far the engine is behind, in words. The tooltip has the exact numbers, for operators. */
function Position({ stats: { epoch, position, lag } }: { readonly stats: Stats }) {
  const parts = [
    lag.journal === 0 ? "Up to date" : `${counted(lag.journal, "message")} not worked through yet`,
    lag.outlet === 0 ? "everything published" : `${counted(lag.outlet, "change")} still to publish`,
  ];
  const title = `Start ${epoch} of this engine (its epoch), at journal entry ${position}; ${lag.journal} entries behind, ${lag.outlet} changes to publish`;
  return (
    <p class="quiet" title={title}>
      {parts.join(" · ")}
    </p>
  );
}

interface CountsProps {
  readonly kind: keyof Stats["counts"];
  readonly counts: Readonly<Record<string, number>>;
  /** How many of the processing requests wait for a person: `100+` if more wait than were counted. */
  readonly waiting?: string;
}

/** The link to the list of the sessions, requests or approvals that a number counts; undefined if there is no list. */
const listOf = (kind: CountsProps["kind"], state: string): string | undefined => {
  if (kind !== "approvals") return `${hrefOf({ view: "overview" })}?${kind}.state=${state}`;
  return state === "pending" ? hrefOf({ view: "inbox" }) : undefined;
};

function Counts({ kind, counts, waiting }: CountsProps) {
  const all: readonly (readonly [string, string])[] = [
    ...(waiting === undefined ? [] : [["waiting", waiting] as const]),
    ...Object.entries(counts).map(
      ([state, count]) =>
        [state, state === "processing" ? goingOn(count, waiting) : count.toLocaleString()] as const,
    ),
  ];
  const some = all.filter(([, count]) => count !== "0");
  return (
    <article class="tile">
      <h2>{kind}</h2>
      {some.length === 0 && <p class="quiet">None</p>}
      <dl class="counts">
        {some.map(([state, count]) => (
          <div key={state}>
            <dt>
              <State state={state} list={listOf(kind, state)} />
            </dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

function State({ state, list }: { readonly state: string; readonly list: string | undefined }) {
  const chip = { class: `chip ${state}`, title: state, children: labelOf(state) };
  return list === undefined ? <span {...chip} /> : <a {...chip} href={list} />;
}

const SHOWN = 10;

function Recovered({ report }: { readonly report: Report }) {
  const { at, replayed, openRequests, pendingApprovals, oldest } = report;
  return (
    <section aria-labelledby="recovered-title">
      <h2 id="recovered-title">The last start</h2>
      <p class="quiet">
        <Since at={at} /> ago: {replayed.toLocaleString()} journal entries applied,{" "}
        {counted(openRequests, "open request")} and {counted(pendingApprovals, "pending approval")} found.
      </p>
      {oldest.length > 0 && (
        <ul class="chips">
          {oldest.slice(0, SHOWN).map((address) => {
            const [workspace = "", session = "", , id = ""] = address.split("/");
            return (
              <li key={address}>
                <a href={hrefOf({ view: "machine", workspace, session, kind: "request", id })}>
                  <code>{id}</code>
                </a>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

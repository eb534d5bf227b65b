// Answers
// The answers view: who answered approvals, how soon, for which tools, projects and agents; and what the sessions cost.
//
//   Owns:          reading the figures from the engine, the order of the view's parts, how a person chooses the days.
//   Does not own:  what the figures count (the engine), the chosen days and table (address.ts), the view's parts (rows.tsx, …).

import { defined } from "../../../../machines/defined.ts";
import type { WithPeers } from "../../../../runtime/peers/peers.ts";
import type { Answers } from "../../../../runtime/reading/figures/answers.ts";
import { ask } from "../engine/api.ts";
import { useAnswer } from "../engine/asked.ts";
import { NotShown } from "../engine/at-peer.tsx";
import { Choice } from "../parts/choice.tsx";
import { Failure } from "../parts/failure.tsx";
import { styled } from "../look/style.ts";
import {
  hrefOfLooked,
  type Looked,
  RANGES,
  TABLES,
  type Times,
  timesOf,
  timeText,
  useLooked,
} from "./address.ts";
import { Costs } from "./costs.tsx";
import { Figures } from "./figures.tsx";
import { Listed } from "./listed.tsx";
import { Amount, Rows } from "./rows.tsx";
import { afterText, ENDERS, summaryOf } from "./told.ts";

await styled("answers");

interface Found {
  readonly answers: Answers & WithPeers;
  readonly times: Times;
}

export function AnswersView() {
  const [looked, change] = useLooked();
  const { range, from, to } = looked;
  const { found, failure } = useAnswer([range, from, to], async (signal): Promise<Found> => {
    const times = timesOf(looked);
    return { answers: await ask<Answers>("/v1/answers", { ...times }, signal), times };
  });
  return (
    <section class="answers" aria-labelledby="answers-title">
      <header class="title-row">
        <h1 id="answers-title">Answers</h1>
        <RangeChoice looked={looked} change={change} />
      </header>
      {failure && <Failure>{failure.words}</Failure>}
      {!found && !failure && <p class="quiet loading">Counting…</p>}
      <NotShown {...defined({ partial: found?.answers.partial })} />
      {found && found.answers.all.asked === 0 && (
        <p>Nothing was asked {timeText(looked)}. What is asked from now on is counted here.</p>
      )}
      {found && found.answers.all.asked > 0 && <Shown {...found} looked={looked} change={change} />}
      {found && <Costs key={`${found.times.since} ${found.times.until}`} times={found.times} />}
    </section>
  );
}

function Shown({ answers, times, looked, change }: Found & Props) {
  const { all, tables, afterDenials } = answers;
  return (
    <>
      <p>{summaryOf(answers, timeText(looked))}</p>
      {afterDenials.denials > 0 && <p>{afterText(afterDenials, all.denied)}</p>}
      <ul class="legend">
        {ENDERS.map(({ key, name }) => (
          <li key={key} class={key}>
            {name} <Amount looked={looked} value={all[key]} number={{ column: key }} />
          </li>
        ))}
      </ul>
      <Figures answers={answers} times={times} looked={looked} />
      <header class="title-row">
        <h2>Breakdown by</h2>
        <Choice label="By what" names={TABLES} chosen={looked.table} choose={(table) => change({ table })} />
      </header>
      <Rows rows={tables[looked.table]} looked={looked} />
      {looked.list && <Listed key={hrefOfLooked(looked, looked.list)} looked={looked} number={looked.list} />}
    </>
  );
}

interface Props {
  readonly looked: Looked;
  readonly change: (part: Partial<Looked>) => void;
}

const RangeChoice = ({ looked: { range, from, to }, change }: Props) => (
  <div class="range">
    {range === "own" && (
      <>
        <Day label="From" value={from} max={to} onDay={(day) => change({ from: day })} />
        <Day label="to" value={to} min={from} onDay={(day) => change({ to: day })} />
      </>
    )}
    <Choice label="How far back" names={RANGES} chosen={range} choose={(each) => change({ range: each })} />
  </div>
);

interface DayProps {
  readonly label: string;
  readonly value: string;
  readonly min?: string;
  readonly max?: string;
  readonly onDay: (day: string) => void;
}

const Day = ({ label, value, onDay, ...limits }: DayProps) => (
  <label title="Days are counted in UTC.">
    {label}{" "}
    <input
      type="date"
      value={value}
      {...limits}
      onChange={({ currentTarget: { value: day, validity } }) => {
        // A date that the person has not typed completely is not used yet.
        if (day !== "" && validity.valid) onDay(day);
      }}
    />
  </label>
);

// Answers
// How approvals were answered in the last weeks: by whom, how soon, of which tools, projects and agents.
//
//   Owns:          the range, which table is shown, their places in the address.
//   Does not own:  what is counted (the engine), its words (told.ts).

import { useEffect, useState } from "preact/hooks";
import type { Answers, AnswersRow, AnswersTable } from "../../../../runtime/reading/figures/answers.ts";
import { ApiError, ask } from "../engine/api.ts";
import { Choice, namesOf } from "../parts/choice.tsx";
import { Failure } from "../parts/failure.tsx";
import { styled } from "../parts/style.ts";
import { duration } from "../parts/time.tsx";
import { filterNamed, keepFilter } from "../route.ts";
import { afterText, ENDERS, summaryOf } from "./told.ts";

await styled("answers");

const DAY_MS = 86_400_000;
const RANGES = { "7d": "7 days", "30d": "30 days", "90d": "90 days" } as const;
type Range = keyof typeof RANGES;
const DAYS: Readonly<Record<Range, number>> = { "7d": 7, "30d": 30, "90d": 90 };
const TABLES: Readonly<Record<AnswersTable, string>> = {
  day: "Day",
  tool: "Tool",
  by: "Who answered",
  project: "Project",
  agent: "Agent",
};

/** What is chosen of a few, as the address has it. */
function useNamed<Name extends string>(
  name: string,
  among: readonly Name[],
  otherwise: Name,
): readonly [Name, (to: Name) => void] {
  const [chosen, choose] = useState(() => among.find((each) => each === filterNamed(name)) ?? otherwise);
  return [
    chosen,
    (to) => {
      keepFilter(name, to === otherwise ? "" : to);
      choose(() => to);
    },
  ];
}

export function AnswersView() {
  const [range, chooseRange] = useNamed("range", namesOf(RANGES), "30d");
  const [table, chooseTable] = useNamed("by", namesOf(TABLES), "day");
  const [answers, show] = useState<Answers>();
  const [failure, fail] = useState<ApiError>();
  useEffect(() => {
    const leaving = new AbortController();
    ask<Answers>("/v1/answers", { since: Date.now() - DAYS[range] * DAY_MS }, leaving.signal).then(
      (found) => {
        fail(undefined);
        show(found);
      },
      (error: unknown) => error instanceof ApiError && fail(error),
    );
    return () => leaving.abort();
  }, [range]);
  return (
    <section class="answers" aria-labelledby="answers-title">
      <header class="title-row">
        <h1 id="answers-title">How it was answered</h1>
        <Choice label="How far back" names={RANGES} chosen={range} choose={chooseRange} />
      </header>
      {failure && <Failure>{failure.words}</Failure>}
      {!answers && !failure && <p class="quiet loading">Counting…</p>}
      {answers && answers.all.asked === 0 && (
        <p>Nothing was asked in the last {RANGES[range]}. What is asked from now on is counted here.</p>
      )}
      {answers && answers.all.asked > 0 && (
        <>
          <p>{summaryOf(answers, RANGES[range])}</p>
          {answers.afterDenials.denials > 0 && <p>{afterText(answers.afterDenials)}</p>}
          <header class="title-row">
            <ul class="legend">
              {ENDERS.map(({ key, name }) => (
                <li key={key} class={key}>
                  {name}
                </li>
              ))}
            </ul>
            <Choice label="By what" names={TABLES} chosen={table} choose={chooseTable} />
          </header>
          <Rows rows={answers.tables[table]} head={TABLES[table]} />
        </>
      )}
    </section>
  );
}

const HEADS = ["Asked", "Allowed", "Denied", "Half within"] as const;

function Rows({ rows, head }: { readonly rows: readonly AnswersRow[]; readonly head: string }) {
  const most = Math.max(1, ...rows.map(({ asked }) => asked));
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={`Answers by ${head.toLowerCase()}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col">
              <span class="unseen">By whom</span>
            </th>
            {HEADS.map((each) => (
              <th key={each} scope="col" class="number">
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name === "" ? <span class="quiet">not known</span> : row.name}</th>
              <td class="bar-cell">
                <Bar row={row} most={most} />
              </td>
              <td class="number">{row.asked.toLocaleString()}</td>
              <td class="number">{row.allowed.toLocaleString()}</td>
              <td class="number">{row.denied.toLocaleString()}</td>
              <td class="number">{row.waitMs.count === 0 ? "" : duration(row.waitMs.p50)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A bar as long as the row has approvals, divided by who ended them. */
function Bar({ row, most }: { readonly row: AnswersRow; readonly most: number }) {
  const parts = ENDERS.filter(({ key }) => row[key] > 0);
  const told = parts.map(({ key, name }) => `${name}: ${row[key].toLocaleString()}`).join(", ");
  return (
    <div
      class="share"
      role="img"
      aria-label={told}
      title={told}
      style={{ width: `${(row.asked / most) * 100}%` }}
    >
      {parts.map(({ key }) => (
        <span key={key} class={key} style={{ flexGrow: row[key] }} />
      ))}
    </div>
  );
}

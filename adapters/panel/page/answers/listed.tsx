// Listed
// Lists the approvals that a chosen number counts, the newest first.
//
//   Owns:          reading the listed approvals from the engine, the heading of the list.
//   Does not own:  which approvals a number counts (the engine), how an approval looks in the list (past.tsx).

import { useEffect, useRef } from "preact/hooks";
import type { Answers } from "../../../../runtime/reading/figures/answers.ts";
import { visible } from "../../../../runtime/text/visible.ts";
import { ask } from "../engine/api.ts";
import { useAnswer } from "../engine/asked.ts";
import { Failure } from "../parts/failure.tsx";
import { Past } from "./past.tsx";
import { COLUMNS, hrefOfLooked, type Looked, type NumberOf, timesOf } from "./address.ts";

const LISTED = 100;

export function Listed({ looked, number }: { readonly looked: Looked; readonly number: NumberOf }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { found, failure } = useAnswer([], (signal) => {
    const { column, row } = number;
    const counted = column === "asked" ? {} : { column };
    const wish = { ...timesOf(looked), ...row, ...counted, limit: LISTED };
    return ask<Answers>("/v1/answers", wish, signal);
  });
  // The focus moves from the pressed link to the list that it opened.
  useEffect(() => heading.current?.focus(), []);
  const { all, items = [] } = found ?? {};
  return (
    <section class="listed" aria-labelledby="listed-title" aria-busy={!found && !failure}>
      <header class="title-row">
        <h2 id="listed-title" tabIndex={-1} ref={heading}>
          {number.row && `${visible(number.row.name)}, `}
          {COLUMNS[number.column]}
          {all && `: ${all.asked.toLocaleString()}`}
        </h2>
        <a href={hrefOfLooked(looked)}>Close the list</a>
      </header>
      {failure && <Failure>{failure.words}</Failure>}
      {!found && !failure && <p class="quiet loading">Asking…</p>}
      {found && <Past approvals={items.map((each) => ({ ...each, state: each.outcome ?? each.state }))} />}
      {all && all.asked > items.length && (
        <p class="quiet">The newest {items.length.toLocaleString()}. Fewer days show those before them.</p>
      )}
    </section>
  );
}

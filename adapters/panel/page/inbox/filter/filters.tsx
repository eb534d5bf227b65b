// Filters
// The fields for the filters above the list: one for text, and a choice for each filter that has more than one value.
//
//   Owns:          how the filter fields look; on a phone the fields are folded, so that the pending approvals stay in view.
//   Does not own:  what a filter does (filter.ts).

import { useState } from "preact/hooks";
import { me } from "../../engine/me.ts";
import { useValue } from "../../engine/value.ts";
import { visible } from "../../../../../runtime/text/visible.ts";
import type { Card } from "../card/card.ts";
import { keptIn } from "../team/kept.ts";
import { later } from "../../parts/later.tsx";
import { clearFilter, type Filter, type FilterName, isFiltered, optionsOf, setFilter } from "./filter.ts";

interface Props {
  readonly cards: readonly Card[];
  readonly by: Filter;
  readonly shown: number;
}

const SELECTS = [
  ["tool", "Tool"],
  ["session", "Session"],
  ["workspace", "Workspace"],
  ["risk", "Risk"],
  ["assignee", "Assignee"],
] as const;

const LABEL_MAX = 60;

/** The page loads this part on demand: only a person who filters, or has saved a view, needs the saved views. */
const Views = later(async () => (await import("./views.tsx")).Views);
const hasViews = (): boolean => keptIn("views", (item) => item !== null).length > 0;

export function Filters({ cards, by, shown }: Props) {
  const [isUnfolded, unfold] = useState(isFiltered(by));
  const whose = useValue(me)?.name;
  if (cards.length < 2 && !isFiltered(by)) return null;
  return (
    <search class={isUnfolded ? "filters" : "filters folded"} aria-label="Filters">
      <input
        type="search"
        aria-label="Filter by words"
        placeholder="Filter by words"
        value={by.text}
        onInput={(event) => setFilter("text", event.currentTarget.value)}
      />
      <button type="button" class="unfold" aria-expanded={isUnfolded} onClick={() => unfold(!isUnfolded)}>
        Filter
      </button>
      {SELECTS.map(([name, label]) => (
        <Choose key={name} name={name} label={label} cards={cards} value={by[name]} />
      ))}
      {isFiltered(by) && (
        <>
          <span class="quiet" role="status">
            {shown} of {cards.length} shown
          </span>
          <button type="button" onClick={clearFilter}>
            Show all
          </button>
        </>
      )}
      {(isFiltered(by) || hasViews()) && <Views key={whose} by={by} />}
    </search>
  );
}

interface ChooseProps {
  readonly name: Exclude<FilterName, "text">;
  readonly label: string;
  readonly cards: readonly Card[];
  readonly value: string;
}

/** Shows the choices of a filter, or nothing if there is no choice. The value in the page's address is always offered. */
function Choose({ name, label, cards, value }: ChooseProps) {
  const found = optionsOf(name, cards);
  const isKnown = value === "" || found.some(([each]) => each === value);
  const options = isKnown ? found : [...found, [value, value] as const];
  const isChoice = found.length > (name === "risk" || name === "assignee" ? 0 : 1) || value !== "";
  if (!isChoice) return null;
  return (
    <select aria-label={label} value={value} onChange={(event) => setFilter(name, event.currentTarget.value)}>
      <option value="">Any {label.toLowerCase()}</option>
      {options.map(([each, said]) => (
        <option key={each} value={each}>
          {visible(said.slice(0, LABEL_MAX))}
        </option>
      ))}
    </select>
  );
}

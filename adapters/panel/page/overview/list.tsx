// List
// Shows a list of the overview: the filter, the table, and a button that reads more rows.
//
//   Owns:          the fields of the filter, the table around the rows.
//   Does not own:  which items are in the list (listed.ts), the cells of a row (lists.tsx).

import { useEffect, useState } from "preact/hooks";
import { defined } from "../../../../machines/defined.ts";
import type { JSX } from "preact";
import { NotShown } from "../engine/at-peer.tsx";
import { namesOf, Select } from "../parts/choice.tsx";
import { Failure } from "../parts/failure.tsx";
import { Heads } from "../parts/heads.tsx";
import { labelOf } from "../parts/words.ts";
import { filterNamed, useFilters } from "../route.ts";
import { type Filter, type Item, type Kind, type Span, useListed } from "./listed.ts";

export interface Listing<T extends Item> {
  readonly name: string;
  readonly kind: Kind<T>;
  readonly states: readonly string[];
  readonly columns: readonly string[];
  /** The text that stands in place of an empty list: it says how a first item comes about. */
  readonly empty: string;
  /** The cells of the row for one item. */
  readonly row: (item: T) => JSX.Element;
}

export function List<T extends Item>({ name, kind, states, columns, empty, row }: Listing<T>) {
  const [filter, setFilter] = useFilter(name.toLowerCase());
  const { items, failure, partial, more } = useListed(kind, filter);
  const titleId = `${name.toLowerCase()}-title`;
  return (
    <section aria-labelledby={titleId}>
      <header class="title-row">
        <h2 id={titleId}>{name}</h2>
        <FilterFields
          name={name}
          states={states}
          filter={filter}
          workspaces={[...new Set(items.map(({ workspace }) => workspace))]}
          onFilter={setFilter}
        />
      </header>
      {failure && <Failure>{failure.words}</Failure>}
      <NotShown {...defined({ partial })} />
      {items.length === 0 ? (
        <p class="quiet">
          {isFiltered(filter) ? "Nothing found. Another state, time or workspace may have some." : empty}
        </p>
      ) : (
        <div class="wide" tabIndex={0} role="group" aria-labelledby={titleId}>
          <table class="calls tile">
            <Heads names={columns} />
            <tbody>
              {items.map((item) => (
                <tr key={kind.addressOf(item)}>{row(item)}</tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {more && (
        <button type="button" onClick={more}>
          More
        </button>
      )}
    </section>
  );
}

const SPAN_NAMES: Readonly<Record<Span, string>> = {
  "any time": "Any time",
  "the last hour": "The last hour",
  "the last day": "The last day",
  "the last week": "The last week",
};

const isFiltered = ({ state, workspace, span }: Filter): boolean =>
  state !== "" || workspace !== "" || span !== "any time";

/** The filter of a list, kept in the page's address. @param name the name of the list. */
function useFilter(name: string): readonly [Filter, (filter: Filter) => void] {
  const named = (field: string): string => filterNamed(`${name}.${field}`);
  const read = (): Filter => ({
    state: named("state"),
    workspace: named("workspace"),
    span: namesOf(SPAN_NAMES).find((each) => each === named("span")) ?? "any time",
  });
  const [filter, write] = useFilters(read);
  const set = ({ state, workspace, span }: Filter): void =>
    write({
      [`${name}.state`]: state,
      [`${name}.workspace`]: workspace,
      [`${name}.span`]: span === "any time" ? "" : span,
    });
  return [filter, set];
}

interface FilterProps {
  readonly name: string;
  readonly states: readonly string[];
  readonly filter: Filter;
  /** The known workspaces, offered so that a person need not type one. */
  readonly workspaces: readonly string[];
  readonly onFilter: (filter: Filter) => void;
}

function FilterFields({ name, states, filter, workspaces, onFilter }: FilterProps) {
  const listId = `${name.toLowerCase()}-workspaces`;
  // The text typed so far is stored here: a change of the list redraws the field, and must not remove the text.
  const [typed, setTyped] = useState(filter.workspace);
  useEffect(() => setTyped(filter.workspace), [filter.workspace]);
  return (
    <div class="filter">
      <Select
        label={<span class="unseen">{name} by state</span>}
        names={{ "": "Any state", ...Object.fromEntries(states.map((each) => [each, labelOf(each)])) }}
        chosen={filter.state}
        choose={(state) => onFilter({ ...filter, state })}
      />
      <Select
        label={<span class="unseen">{name} by time</span>}
        names={SPAN_NAMES}
        chosen={filter.span}
        choose={(span) => onFilter({ ...filter, span })}
      />
      <label>
        <span class="unseen">{name} by workspace</span>
        <input
          type="search"
          placeholder="Any workspace"
          value={typed}
          list={listId}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => onFilter({ ...filter, workspace: event.currentTarget.value.trim() })}
        />
        <datalist id={listId}>
          {workspaces.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </label>
    </div>
  );
}

// List
// A list of the overview: its filter, its table, and a button for more rows.
//
//   Owns:          the fields of the filter, the table around the rows.
//   Does not own:  which items are in the list (listed.ts), the cells of a row (sessions.tsx, requests.tsx).

import { useEffect, useState } from "preact/hooks";
import { defined } from "../../../../machines/defined.ts";
import type { ComponentChildren, JSX } from "preact";
import { NotShown } from "../engine/at-peer.tsx";
import { Failure } from "../parts/failure.tsx";
import { labelOf } from "../parts/words.ts";
import { filterNamed, keepFilter } from "../route.ts";
import { type Filter, type Item, type Kind, type Span, SPANS, useListed } from "./listed.ts";

interface Props<T extends Item> {
  readonly name: string;
  readonly kind: Kind<T>;
  readonly states: readonly string[];
  readonly columns: readonly string[];
  /** What an empty list shows: how its first item will come about. */
  readonly empty: ComponentChildren;
  /** The cells of the row for one item. */
  readonly row: (item: T) => JSX.Element;
}

export function List<T extends Item>({ name, kind, states, columns, empty, row }: Props<T>) {
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
            <thead>
              <tr>
                {columns.map((each) => (
                  <th key={each} scope="col">
                    {each}
                  </th>
                ))}
              </tr>
            </thead>
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

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const isFiltered = ({ state, workspace, span }: Filter): boolean =>
  state !== "" || workspace !== "" || span !== "any time";

/** The filter of a list, kept in the address. @param name the name of the list. */
function useFilter(name: string): readonly [Filter, (filter: Filter) => void] {
  const named = (field: string): string => filterNamed(`${name}.${field}`);
  const read = (): Filter => ({
    state: named("state"),
    workspace: named("workspace"),
    span: Object.keys(SPANS).find((each): each is Span => each === named("span")) ?? "any time",
  });
  const [filter, setFilter] = useState(read);
  // A press on a number at the top of the overview changes the filter in the address, which is then read again.
  useEffect(() => {
    const look = (): void => setFilter(read());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, [name]);
  const set = (next: Filter): void => {
    setFilter(next);
    keepFilter(`${name}.state`, next.state);
    keepFilter(`${name}.workspace`, next.workspace);
    keepFilter(`${name}.span`, next.span === "any time" ? "" : next.span);
  };
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
  // A change of the list draws the field again: the text typed so far must stay in it.
  const [typed, setTyped] = useState(filter.workspace);
  useEffect(() => setTyped(filter.workspace), [filter.workspace]);
  return (
    <div class="filter">
      <Choice
        label={`${name} by state`}
        value={filter.state}
        onChoose={(state) => onFilter({ ...filter, state })}
      >
        <option value="">Any state</option>
        {states.map((each) => (
          <option key={each} value={each}>
            {labelOf(each)}
          </option>
        ))}
      </Choice>
      <Choice
        label={`${name} by time`}
        value={filter.span}
        // The options are the spans, so no other value can be chosen.
        onChoose={(span) => onFilter({ ...filter, span: span as Span })}
      >
        {Object.keys(SPANS).map((each) => (
          <option key={each} value={each}>
            {capital(each)}
          </option>
        ))}
      </Choice>
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

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChoose: (value: string) => void;
  readonly children: ComponentChildren;
}

function Choice({ label, value, onChoose, children }: ChoiceProps) {
  return (
    <label>
      <span class="unseen">{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {children}
      </select>
    </label>
  );
}

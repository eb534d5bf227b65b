// Sessions
// Sessions by state and workspace, newest first, a page at a time.
//
//   Owns:          how they look, the fields of the filter.
//   Does not own:  which are in the list (session-list.ts), a session (session/).

import { useState } from "preact/hooks";
import type { SessionView } from "../../../../runtime/views.ts";
import { Line } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { hrefOf } from "../route.ts";
import { type Filter, useSessions } from "./session-list.ts";

const STATES = ["running", "waiting_input", "idle", "ended"] as const;
const COLUMNS = ["Title", "Where", "State", "Calls", "Last heard of"] as const;

export function Sessions() {
  const [filter, setFilter] = useState<Filter>({ state: "", workspace: "" });
  const { items, failure, more } = useSessions(filter);
  return (
    <section aria-labelledby="sessions-title">
      <header class="title-row">
        <h2 id="sessions-title">Sessions</h2>
        <FilterFields filter={filter} onFilter={setFilter} />
      </header>
      {failure && (
        <p class="failure" role="alert">
          {failure.message} {failure.next}
        </p>
      )}
      {items.length === 0 ? (
        <p class="quiet">None.</p>
      ) : (
        <div class="wide" tabIndex={0} role="region" aria-labelledby="sessions-title">
          <table class="calls">
            <thead>
              <tr>
                {COLUMNS.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((session) => (
                <Row key={`${session.workspace}/${session.id}`} session={session} />
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

interface FilterProps {
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

function FilterFields({ filter, onFilter }: FilterProps) {
  return (
    <div class="filter">
      <label>
        <span class="unseen">State</span>
        <select
          value={filter.state}
          onChange={(event) => onFilter({ ...filter, state: event.currentTarget.value })}
        >
          <option value="">every state</option>
          {STATES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <label>
        <span class="unseen">Workspace</span>
        <input
          type="search"
          placeholder="every workspace"
          value={filter.workspace}
          onChange={(event) => onFilter({ ...filter, workspace: event.currentTarget.value.trim() })}
        />
      </label>
    </div>
  );
}

function Row({ session }: { readonly session: SessionView }) {
  const { id, workspace, title, branch, state, counts, lastEvent } = session;
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf({ view: "session", workspace, session: id })}>
          <Line text={title ?? id} />
        </a>
      </th>
      <td class="quiet">
        <Line text={[workspace, branch].filter(Boolean).join(" · ")} />
      </td>
      <td>
        <span class={`chip ${state}`}>{state}</span>
      </td>
      <td class="number">
        {counts.openCalls > 0 && `${counts.openCalls} open of `}
        {counts.calls}
      </td>
      <td class="number">
        <Since at={lastEvent.at} /> ago
      </td>
    </tr>
  );
}

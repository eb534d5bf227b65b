// Sessions
// Sessions by state and workspace, newest first, a page at a time.
//
//   Owns:          the list and its filter.
//   Does not own:  a session (session/).

import { useEffect, useState } from "preact/hooks";
import type { SessionView } from "../../../../runtime/views.ts";
import { ApiError, ask } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import { Line } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { hrefOf } from "../route.ts";

const STATES = ["running", "waiting_input", "idle", "ended"] as const;
const COLUMNS = ["Title", "Where", "State", "Calls", "Last heard of"] as const;
const PAGE = 50;
const AGAIN_MS = 1_000;

interface Filter {
  readonly state: string;
  readonly workspace: string;
}

/** The sessions that fit, read again when one of them moves. */
function useSessions({ state, workspace }: Filter) {
  const [items, show] = useState<readonly SessionView[]>([]);
  const [cursor, setCursor] = useState<string>();
  const [failure, fail] = useState<ApiError>();
  const read = async (from: string | undefined, before: readonly SessionView[]): Promise<void> => {
    try {
      const filter = { state: state || undefined, workspace: workspace || undefined, limit: PAGE };
      const page = await ask<{ items: readonly SessionView[]; nextCursor?: string }>("/v1/sessions", {
        ...filter,
        cursor: from,
      });
      show([...before, ...page.items]);
      setCursor(page.nextCursor);
      fail(undefined);
    } catch (error) {
      if (error instanceof ApiError) fail(error);
    }
  };
  useEffect(() => {
    void read(undefined, []);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = follow.onChanges((changes) => {
      if (!changes.some(({ entity }) => entity === "session")) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void read(undefined, []);
      }, AGAIN_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [state, workspace]);
  return { items, failure, more: cursor === undefined ? undefined : () => void read(cursor, items) };
}

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
        <Since at={lastEvent.at} />
      </td>
    </tr>
  );
}

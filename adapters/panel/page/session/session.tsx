// Session
// One session: what was asked, what ran, what is pending, and any past moment of it.
//
//   Owns:          the page: its head, the filter, the moment.
//   Does not own:  the rows (timeline.tsx), a call in full (details.tsx).

import { useEffect, useMemo, useState } from "preact/hooks";
import type { SessionView } from "../../../../runtime/rows/views.ts";
import { useValue } from "../engine/value.ts";
import { History, upTo } from "../history/history.ts";
import { useMoment } from "../history/moment.ts";
import { Scrubber } from "../history/scrubber.tsx";
import { NotFound } from "../parts/not-found.tsx";
import { Line } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { meaningOfState } from "../parts/words.ts";
import { filterNamed, hrefOf, keepFilter, type Route } from "../route.ts";
import { Details } from "./details.tsx";
import { useCallKeys } from "./keys.ts";
import { timelineOf, type Wanted } from "./model.ts";
import { Requests } from "./timeline.tsx";
import { Unplaced } from "./unplaced.tsx";
import { ROOM, shownOf } from "./window.ts";

type Props = Extract<Route, { view: "session" }>;

const STATES = ["processing", "queued", "completed", "failed", "denied", "missing-post"] as const;

export function SessionPage({ workspace, session: id, call, at }: Props) {
  const history = useMemo(() => new History(workspace, id), [workspace, id]);
  useEffect(() => () => history.end(), [history]);
  const { changes, before, isLoading, failure, olderCursor } = useValue(history.told);
  const place = { view: "session", workspace, session: id, ...(call !== undefined && { call }) } as const;
  const moment = useMoment(history, { ...place, ...(at !== undefined && { at }) });
  const [wanted, want] = useWanted(call);
  const [room, setRoom] = useState(ROOM);
  const timeline = useMemo(
    () => timelineOf([...before, ...upTo(changes, moment)], wanted),
    [before, changes, moment, wanted],
  );

  const shown = shownOf(timeline.requests, room, call);
  useCallKeys(place, shown.requests);

  if (failure && changes.length === 0)
    return (
      <NotFound
        what={`The session ${workspace}/${id}`}
        failure={failure}
        onAgain={() => void history.again()}
      />
    );
  if (isLoading && changes.length === 0) return <p class="quiet loading">Asking the engine…</p>;
  const { session, requests } = timeline;
  return (
    <section aria-labelledby="session-title" class="session">
      <Head workspace={workspace} id={id} session={session} />
      <Scrubber changes={changes} moment={moment} onMoment={(to) => history.moment.set(to)} />
      <Unplaced changes={[...before, ...upTo(changes, moment)]} />
      <Search wanted={wanted} onWanted={want} />
      <div class={call === undefined ? "session-parts" : "session-parts split"}>
        {requests.length === 0 && (
          <p class="quiet">
            {wanted.text === "" && wanted.states.size === 0 ? "No request yet." : "No call fits."}
          </p>
        )}
        <Requests
          workspace={workspace}
          session={id}
          rows={shown}
          chosen={call}
          isLive={moment === undefined}
          onMore={() => setRoom(room + ROOM)}
        />
        {call !== undefined && (
          <Details
            key={call}
            workspace={workspace}
            session={id}
            call={call}
            changes={upTo(changes, moment)}
          />
        )}
      </div>
      {olderCursor !== undefined && shown.hidden === 0 && (
        <button
          type="button"
          onClick={() => {
            setRoom(room + ROOM);
            void history.older();
          }}
        >
          Read further back
        </button>
      )}
    </section>
  );
}

/** What is looked for, kept in the address. @param call a step to another one leads to a new address. */
function useWanted(call: string | undefined): readonly [Wanted, (wanted: Wanted) => void] {
  const [wanted, want] = useState<Wanted>(() => ({
    text: filterNamed("find"),
    states: new Set(filterNamed("state").split(",").filter(Boolean)),
  }));
  useEffect(() => {
    keepFilter("find", wanted.text);
    keepFilter("state", [...wanted.states].join(","));
  }, [wanted, call]);
  return [wanted, want];
}

interface HeadProps {
  readonly workspace: string;
  readonly id: string;
  readonly session: SessionView | undefined;
}

function Head({ workspace, id, session }: HeadProps) {
  const where = [session?.cwd, session?.branch, session?.model, `${workspace}/${id}`].filter(Boolean);
  return (
    <header class="session-head">
      <h1 id="session-title">
        <Line text={session?.title ?? id} />
      </h1>
      <a
        href={hrefOf({ view: "machine", workspace, session: id, kind: "session", id })}
        class={`chip ${session?.state ?? ""}`}
        title="Its machine"
      >
        {session?.state ?? "unknown"}
      </a>
      <p class="quiet">
        <Line text={where.join(" · ")} />
        {session && (
          <>
            {" · last heard of "}
            <Since at={session.lastEvent.at} /> ago
          </>
        )}
      </p>
    </header>
  );
}

interface SearchProps {
  readonly wanted: Wanted;
  readonly onWanted: (wanted: Wanted) => void;
}

function Search({ wanted, onWanted }: SearchProps) {
  const { text, states } = wanted;
  const toggle = (state: string): void => {
    const next = new Set(states);
    if (!next.delete(state)) next.add(state);
    onWanted({ text, states: next });
  };
  return (
    <form class="filter" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        <span class="unseen">Search the calls</span>
        <input
          type="search"
          placeholder="Search the calls"
          value={text}
          onInput={(event) => onWanted({ text: event.currentTarget.value, states })}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
      </label>
      {STATES.map((state) => (
        <button
          key={state}
          type="button"
          class={`chip ${state}`}
          title={meaningOfState(state)}
          aria-pressed={states.has(state)}
          onClick={() => toggle(state)}
        >
          {state}
        </button>
      ))}
    </form>
  );
}

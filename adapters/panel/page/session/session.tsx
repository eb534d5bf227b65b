// Session
// The page of one session: what was requested, what ran and what is pending, now or at any past moment.
//
//   Owns:          the order of the page's parts, the chosen moment, the search, the list of approvals whose call is not known.
//   Does not own:  the rows of the calls (timeline.tsx), one call in full (details.tsx).

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { defined } from "../../../../machines/defined.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { useValue } from "../engine/value.ts";
import { asChanges, type Begun, changesBefore, dividedBy } from "../history/before.ts";
import { lastOfEach, upTo } from "../history/changes.ts";
import { History, useMoment } from "../history/history.ts";
import { NotFound } from "../parts/not-found.tsx";
import { filterNamed, hrefOf, keepFilter, type Route } from "../route.ts";
import { Details } from "./details.tsx";
import { useFolds } from "./folding.ts";
import { type Found, useFound } from "./found.ts";
import { Head, OpenEnds } from "./head.tsx";
import { useCallKeys } from "./keys.ts";
import { kept } from "./kept.ts";
import { Loaded, Searched } from "./loaded.tsx";
import { type RequestRow, rowsOf, timelineOf, type Wanted } from "./model.ts";
import { Happening } from "./now/happening.tsx";
import { Search } from "./search.tsx";
import { Summary } from "./summary.tsx";
import { Requests } from "./timeline.tsx";
import { useTalk } from "./talk/talk.ts";
import { Strip } from "./whole/strip.tsx";
import { firstRow, ROOM, type Shown, shownOf } from "./window.ts";
import { Line } from "../parts/text.tsx";

type Props = Extract<Route, { view: "session" }>;
const ALL: Wanted = { text: "", states: new Set() };

export function SessionPage({ workspace, session: id, call, at }: Props) {
  const history = useMemo(
    () => new History({ view: "session", workspace, session: id, ...defined({ call, at }) }),
    [workspace, id],
  );
  useEffect(() => () => history.end(), [history]);
  const { changes, isLoading, failure, olderCursor } = useValue(history.told);
  const place = { view: "session", workspace, session: id, ...defined({ call }) } as const;
  const moment = useMoment(history, { ...place, ...defined({ at }) });
  const [wanted, want] = useWanted(call);
  const { found, seen, timeline, whole, now } = useTimeline(workspace, id, history, moment, wanted);
  const isPast = moment !== undefined;
  const isPart = olderCursor !== undefined;
  const onMoment = (to: number | undefined): void => history.moment.set(to);
  const told = useTalk(workspace, id, timeline.requests, changes.length);
  const isSought = wanted.text !== "" || wanted.states.size > 0;
  const { requests: unfolded, onFold } = useFolds(place, timeline.requests, isSought);
  const { shown, addRoom } = useShown(unfolded, call, isPart, isSought);
  const again = (): void => void history.again();
  const readMore = (): void => {
    addRoom(ROOM);
    void history.older();
  };
  useCallKeys(place, shown.requests);

  if (failure && changes.length === 0)
    return <NotFound what={`The session ${workspace}/${id}`} failure={failure} onAgain={again} />;
  if (isLoading && changes.length === 0) return <p class="quiet loading">Asking the engine…</p>;
  const { session, requests } = timeline;
  return (
    <section aria-labelledby="session-title" class="session">
      <Head workspace={workspace} id={id} session={session} cost={isPast ? undefined : told.cost} />
      {!(isPast && isSought) && <Happening {...{ workspace, session: id }} timeline={now} isLive={!isPast} />}
      <OpenEnds source={session?.source} />
      <Strip {...{ place, changes, moment, onMoment, timeline: whole, isPart }} />
      <Unplaced changes={seen} />
      <Summary requests={requests} isPart={isPart} />
      <Search wanted={wanted} onWanted={want} />
      {isPart && isSought && <Searched found={found} isPast={isPast} />}
      <Loaded {...{ history, addRoom, readMore }} all={session?.counts.calls} />
      {!isSought && <Earlier more={told.more} />}
      <div class={call === undefined ? "session-parts" : "session-parts split"}>
        {requests.length === 0 && <p class="quiet">{nothingIn(found, isSought)}</p>}
        <Requests
          {...{ workspace, session: id, onFold }}
          rows={shown}
          chosen={call}
          talk={isSought ? undefined : told.talk}
          isLive={moment === undefined}
          isMore={isPart && !isSought}
          onMore={() => addRoom(ROOM)}
          onOlder={readMore}
        />
        {call !== undefined && (
          <Details
            key={call}
            workspace={workspace}
            session={id}
            call={call}
            changes={upTo(changes, moment)}
            waiting={requests.flatMap(rowsOf).find((row) => row.call.id === call)?.waiting}
            isLive={!isPast}
          />
        )}
      </div>
    </section>
  );
}

/**
 * The part of the session to draw. A row appears above the first one only if a person asks for it, because it would move all
 * others (WINDOW-2). A batch without changes stays the same object, so that it is not redrawn (KEPT-1).
 */
function useShown(
  requests: readonly RequestRow[],
  call: string | undefined,
  isPart: boolean,
  isSought: boolean,
) {
  const [room, setRoom] = useState(ROOM);
  const begun = useRef<{ readonly first: string | undefined } | undefined>(undefined);
  if (!isSought && requests.length > 0) begun.current ??= { first: isPart ? firstRow(requests) : undefined };
  const first = isSought || room > ROOM ? undefined : begun.current?.first;
  const last = useRef<Shown | undefined>(undefined);
  const now = useMemo(() => shownOf(requests, room, call, first), [requests, room, call, first]);
  last.current = kept(last.current, now);
  return { shown: last.current, addRoom: (rows: number) => setRoom(room + rows) };
}

/** The button that reads earlier texts: of a long conversation, the page reads only the end at first. */
const Earlier = ({ more }: { readonly more: (() => void) | undefined }) =>
  more && (
    <button type="button" class="talk-more" onClick={more}>
      Show what was said earlier
    </button>
  );

const nothingIn = ({ isSearching }: Found, isSought: boolean): string =>
  isSought ? (isSearching ? "Looking…" : "No call fits.") : "No request yet.";

/**
 * Makes three timelines. `timeline` has the calls that match the search, up to the chosen moment; `whole` has all calls, even
 * those after the moment; from `now` comes the sentence that says what the session does (now/).
 */
function useTimeline(
  workspace: string,
  session: string,
  history: History,
  moment: number | undefined,
  wanted: Wanted,
) {
  const { changes, standing, olderCursor } = useValue(history.told);
  const { within, apart } = useMemo(() => dividedBy(changes, standing), [standing, changes]);
  const isPast = moment !== undefined;
  const found = useFound(workspace, session, wanted, olderCursor !== undefined && !isPast);
  const seen = useMemo(
    () => seenBy(changes, moment, within, isPast ? undefined : found),
    [within, changes, moment, found],
  );
  const isSought = wanted.text !== "" || wanted.states.size > 0;
  const timeline = useMemo(() => timelineOf(seen, isSought ? wanted : ALL), [seen, wanted]);
  const whole = useMemo(
    () => (isPast || isSought ? timelineOf(seenBy(changes, undefined, within, found), ALL) : timeline),
    [within, changes, found, isPast || isSought ? undefined : timeline],
  );
  // `apart` has the present views of open calls of which the page has read no change. They count in `now`, but get no rows: if
  // earlier changes are read later, rows would appear above those that are drawn, which would move (WINDOW-2).
  const all = isSought ? whole : timeline;
  const now = useMemo(
    () => (apart.length === 0 ? all : timelineOf([...asChanges(workspace, apart), ...seen], ALL)),
    [workspace, apart, seen, all],
  );
  return { found, seen, timeline, whole, now };
}

/**
 * What the timeline is drawn from, in this order: the states before the first loaded change; the calls that the engine
 * found in a search, which may be older than the loaded changes; the loaded changes up to the moment.
 */
function seenBy(
  changes: readonly StateChange[],
  moment: number | undefined,
  standing: readonly Begun[],
  found: Found | undefined,
): readonly StateChange[] {
  const known = new Set(standing.map(({ id }) => id));
  const more = found?.requests.filter(({ id }) => !known.has(id)) ?? [];
  return [
    ...changesBefore([...standing, ...more], changes),
    ...(found?.calls ?? []),
    ...upTo(changes, moment),
  ];
}

/** The search, kept in the page's address. @param call the chosen call; the address of another one gets the same search. */
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

function Unplaced({ changes }: { readonly changes: readonly StateChange[] }) {
  const approvals = [...lastOfEach(changes).values()].flatMap(({ entity, to, view }) => {
    // The cast is safe: the view in an approval's change is an approval's view (runtime/rows/changes).
    const approval = view as ApprovalView;
    return entity === "approval" && to === "pending" && approval.callId === undefined ? [approval] : [];
  });
  if (approvals.length === 0) return null;
  return (
    <section class="unplaced" aria-label="Approvals without a call">
      <p class="quiet">
        {approvals.length === 1 ? "An approval waits" : `${approvals.length} approvals wait`} for you. The
        engine has not heard of a call that fits:
      </p>
      <ul class="chips">
        {approvals.map(({ id, workspace, tool }) => (
          <li key={id}>
            <a class="chip waiting" href={hrefOf({ view: "inbox", approval: { workspace, id } })}>
              <Line text={tool} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

// Session list
// The sessions that fit a filter, newest first, as they were read and as they changed since.
//
//   Owns:          which are in it, their order, reading more.
//   Does not own:  how they look (sessions.tsx).
//
// O2. A session that changes is shown as it is now, at its place, before anything is read again; what a change of a
//     session does not tell (how many calls it has) is read again, the newest page at a time.

import { useEffect, useState } from "preact/hooks";
import type { StateChange } from "../../../../runtime/changes.ts";
import type { SessionView } from "../../../../runtime/views.ts";
import { ApiError, ask } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import { paced } from "../engine/pace.ts";

export interface Filter {
  readonly state: string;
  readonly workspace: string;
}

interface Page {
  readonly items: readonly SessionView[];
  readonly nextCursor?: string;
}

const PAGE = 50;
const AGAIN_MS = 1_000;
/** Sessions that begin at once and are each asked for; of more, the next look tells. */
const BORN_MAX = 5;

export function useSessions(filter: Filter) {
  const [page, setPage] = useState<Page>({ items: [] });
  const [failure, fail] = useState<ApiError>();
  const { state, workspace } = filter;
  const read = async (cursor: string | undefined, signal?: AbortSignal): Promise<Page | undefined> => {
    try {
      const wish = { state: state || undefined, workspace: workspace || undefined, limit: PAGE, cursor };
      const found = await ask<Page>("/v1/sessions", wish, signal);
      fail(undefined);
      return found;
    } catch (error) {
      if (error instanceof ApiError) fail(error);
      return undefined;
    }
  };
  useEffect(() => {
    const leaving = new AbortController();
    setPage({ items: [] });
    // Told while an answer is on its way: the answer may be from before them.
    let told: readonly StateChange[] = [];
    const readOne = async (id: string, home: string): Promise<void> => {
      try {
        const session = await ask<SessionView>(`/v1/sessions/${id}`, { workspace: home }, leaving.signal);
        setPage((known) => placed(known, [session], filter));
      } catch (error) {
        // The next look has it.
        if (!(error instanceof ApiError) && !leaving.signal.aborted) throw error;
      }
    };
    const again = paced(async () => {
      told = [];
      const newest = await read(undefined, leaving.signal);
      if (newest && !leaving.signal.aborted) setPage((known) => moved(joined(known, newest), told, filter));
    }, AGAIN_MS);
    again.ask();
    const ends = [
      follow.onResync(again.ask),
      follow.onChanges((changes) => {
        told = [...told, ...changes];
        setPage((known) => moved(known, changes, filter));
        again.ask();
        for (const { id, workspace: home } of bornIn(changes).slice(-BORN_MAX)) void readOne(id, home);
      }),
    ];
    return () => {
      leaving.abort();
      again.end();
      for (const end of ends) end();
    };
  }, [state, workspace]);
  const { items, nextCursor } = page;
  const readMore = async (): Promise<void> => {
    const older = await read(nextCursor);
    if (older) setPage((known) => ({ ...older, items: sorted([...known.items, ...older.items]) }));
  };
  return { items, failure, more: nextCursor === undefined ? undefined : () => void readMore() };
}

/** The newest page read again: what was read behind it stays. */
function joined(known: Page, newest: Page): Page {
  const last = newest.items.at(-1);
  const isWhole = newest.nextCursor === undefined || last === undefined;
  const behind = isWhole ? [] : known.items.filter((each) => inOrder(each, last) > 0);
  return behind.length === 0 ? newest : { ...known, items: sorted([...newest.items, ...behind]) };
}

/** Of a session that has just begun the change does not tell its title yet. */
const bornIn = (changes: readonly StateChange[]): readonly StateChange[] =>
  changes.filter(({ entity, from }) => entity === "session" && from === null);

function moved(known: Page, changes: readonly StateChange[], filter: Filter): Page {
  const told = changes.flatMap(({ entity, view }) =>
    // The view of a change of a session is a session's (runtime/changes).
    entity === "session" ? [view as SessionView] : [],
  );
  return told.length === 0 ? known : placed(known, told, filter);
}

/** Those told of at their places, where they fit. */
function placed(known: Page, told: readonly SessionView[], filter: Filter): Page {
  const last = known.items.at(-1);
  const isHere = (session: SessionView): boolean =>
    known.nextCursor === undefined || last === undefined || inOrder(session, last) <= 0;
  const items = sorted([...known.items, ...told]).filter((each) => fits(each, filter) && isHere(each));
  return { ...known, items };
}

const fits = (session: SessionView, { state, workspace }: Filter): boolean =>
  (state === "" || session.state === state) && (workspace === "" || session.workspace === workspace);

/** Each once, as it was given last, in the engine's order. */
function sorted(sessions: readonly SessionView[]): readonly SessionView[] {
  const last = new Map(sessions.map((session) => [`${session.workspace}/${session.id}`, session]));
  return [...last.values()].sort(inOrder);
}

/** Newest first; of those begun at the same time, by name, as the engine's lists have them. */
function inOrder(a: SessionView, b: SessionView): number {
  const [one, other] = [`${a.workspace}/${a.id}`, `${b.workspace}/${b.id}`];
  return b.createdAt - a.createdAt || (one < other ? 1 : one > other ? -1 : 0);
}

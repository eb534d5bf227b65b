// First page
// Asks for a page of a session's history. The page asks for the first one while the script of the view is still loading.
//
//   Owns:          what is asked for; the early answer, which may arrive before its view is loaded.
//   Does not own:  what becomes of a page (history.ts).
//
// FIRST-PAGE-1. The early answer is used only by the view that it was asked for, and only if the stream has passed on no change
//     since: the view would have missed that change.

import type { StandingPage } from "../../../../runtime/reading/standing/left-open.ts";
import { defined } from "../../../../machines/defined.ts";
import type { AtPeer, SessionView } from "../../../../runtime/rows/views.ts";
import { ask } from "../engine/api.ts";
import { drawn } from "../engine/drawn.ts";
import { expectSession, follow } from "../engine/engine.ts";
import { type Route, route } from "../route.ts";

/** A session, to read all its changes; or a machine, to read only its own. A call's changes include its approvals' changes. */
export type Place = Extract<Route, { readonly view: "session" | "machine" }>;

/** How many changes a page has. */
export const PAGE = 1_000;
/** How many changes are read first for a session: more than fill a screen. */
const FIRST = 200;

/** How many changes are read first. For a chosen call or moment, a full page: it may be further back than `FIRST` changes. */
export const firstOf = (at: Place): number => ("id" in at || at.call || at.at ? PAGE : FIRST);

interface Early {
  readonly at: Route;
  readonly answer: Promise<StandingPage>;
  /** Stops listening to changes. */
  readonly forget: () => void;
}

let early: Early | undefined;

/** How long the page may wait for the answer before it loads its other parts, ms. */
const PATIENCE_MS = 500;

/**
 * If the page is opened at a view with a history, asks at once for the first page of that history.
 * @returns fulfilled once the answer is drawn, or has taken too long.
 */
export function askEarly(): Promise<unknown> {
  const at = route.get();
  if (!("session" in at)) return Promise.resolve();
  const answer = askPage(at, firstOf(at));
  const ends = [follow.onChanges(drop), follow.onResync(drop)];
  early = { at, answer, forget: () => ends.forEach((end) => end()) };
  if (at.view === "session") expectSession(at.workspace, at.session, answer.then(sessionIn));
  // The view that takes the answer gets the error, if there is one.
  return Promise.race([answer.then(drawn, drawn), new Promise((done) => setTimeout(done, PATIENCE_MS))]);
}

function drop(): void {
  early?.forget();
  early = undefined;
}

/** @param cursor where to read on backwards. @throws ApiError */
export function askPage(at: Place, limit: number, cursor?: string): Promise<StandingPage> {
  const known = early;
  drop();
  if (known?.at === route.get()) return known.answer;
  const only = "id" in at && { [at.kind === "call" ? "call" : "id"]: at.id };
  const wish = { workspace: at.workspace, standing: "true", ...only, limit, cursor };
  return ask<StandingPage>(`/v1/sessions/${at.session}/history`, wish);
}

/** The session's view in an answer. The cast is safe: the present view of an entity has that entity's form. */
function sessionIn({ standing, engine }: StandingPage & AtPeer): SessionView | undefined {
  const view = standing?.find(({ entity }) => entity === "session")?.view as SessionView | undefined;
  return view && { ...view, ...defined({ engine }) };
}

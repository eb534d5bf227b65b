// First page
// Asks the engine for a page of a session's history: for the first page early, while the script of the view still loads.
//
//   Owns:          what the request for a page contains; storing the early answer until the view is loaded.
//   Does not own:  what a view does with the answer (history.ts).
//
// FIRST-PAGE-1. Only the view for which the early answer was requested uses that answer, and only if the page has received no
//     change since the request.

import type { StandingPage } from "../../../../runtime/reading/standing/left-open.ts";
import { defined } from "../../../../machines/defined.ts";
import type { AtPeer, SessionView } from "../../../../runtime/rows/views.ts";
import { ask } from "../engine/api.ts";
import { drawn } from "../engine/drawn.ts";
import { expectSession, follow } from "../engine/engine.ts";
import { type Route, route } from "../route.ts";

/** Whose changes are read: those of a session, or those of one machine. Those of a call include those of its approvals. */
export type Place = Extract<Route, { readonly view: "session" | "machine" }>;

export const PAGE = 1_000;
/** How many changes are read first for a session: more than fill a screen. */
const FIRST = 200;

/** How many changes are read first: a full page for a machine, a chosen call or a chosen moment, which may lie far back. */
export const firstOf = (at: Place): number => ("id" in at || at.call || at.at ? PAGE : FIRST);

let early:
  { readonly at: Route; readonly answer: Promise<StandingPage>; readonly unlisten: () => void } | undefined;

/** How long the page may wait for the answer before it loads its other parts, ms. */
const PATIENCE_MS = 500;

/**
 * Asks for the first page of the view's history, if the view has one.
 * @returns fulfilled once the answer is drawn, and after `PATIENCE_MS` at the latest.
 */
export function askEarly(): Promise<unknown> {
  const at = route.get();
  if (!("session" in at)) return Promise.resolve();
  const answer = askPage(at, firstOf(at));
  early = { at, answer, unlisten: follow.on(drop, drop) };
  if (at.view === "session") expectSession(at.workspace, at.session, answer.then(sessionIn));
  // A failed query only ends the waiting here: the view that takes the answer later gets the error.
  return Promise.race([answer.then(drawn, drawn), new Promise((done) => setTimeout(done, PATIENCE_MS))]);
}

function drop(): void {
  early?.unlisten();
  early = undefined;
}

/** @param cursor where to read on, further back; without it, the newest page is read. @throws ApiError */
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

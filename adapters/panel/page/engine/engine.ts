// Engine
// What all views use of the engine: the stream of changes, the engine's time, and the sessions' names.
//
//   Owns:          the page's one change stream and one clock, a small cache of sessions.
//   Does not own:  what a single view stores for itself.

import type { SessionView } from "../../../../runtime/rows/views.ts";
import { ask, engineTime } from "./api.ts";
import { Follow } from "./follow.ts";
import { Value } from "./value.ts";

const TICK_MS = 1_000;
const SESSIONS_MAX = 500;

export const follow = new Follow();

/** The engine's wall time, ms, once a second. */
export const now = new Value(engineTime());

const sessions = new Map<string, Promise<SessionView>>();

/** A session from the cache. After a change of the session, the page reads the session again. */
export function sessionOf(workspace: string, id: string): Promise<SessionView> {
  const key = `${workspace}/${id}`;
  return sessions.get(key) ?? keep(key, ask<SessionView>(`/v1/sessions/${id}`, { workspace }));
}

function keep(key: string, asked: Promise<SessionView>): Promise<SessionView> {
  sessions.set(key, asked);
  asked.catch(() => sessions.delete(key));
  const [oldest] = sessions.keys();
  if (sessions.size > SESSIONS_MAX && oldest !== undefined) sessions.delete(oldest);
  return asked;
}

/** Puts into the cache a session that another answer will bring. If that answer lacks the session, the page reads it. */
export function expectSession(workspace: string, id: string, coming: Promise<SessionView | undefined>): void {
  const whole = coming.then((found) => found ?? ask<SessionView>(`/v1/sessions/${id}`, { workspace }));
  void keep(`${workspace}/${id}`, whole);
}

export function knowSession(session: SessionView): void {
  const key = `${session.workspace}/${session.id}`;
  if (!sessions.has(key)) sessions.set(key, Promise.resolve(session));
}

export function start(): void {
  setInterval(() => now.set(engineTime()), TICK_MS);
  follow.onChanges((changes) => {
    for (const { entity, workspace, sessionId } of changes)
      if (entity === "session") sessions.delete(`${workspace}/${sessionId}`);
  });
  follow.onResync(() => sessions.clear());
  follow.open();
}

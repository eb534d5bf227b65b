// Picture
// Lists what exists when an observer begins: the latest sessions, their latest requests and calls, the open approvals.
//
//   Owns:          how many of each are listed.
//   Does not own:  changes after that moment (watcher.ts).

import type { Queries } from "../../runtime/reading/queries.ts";
import { type Subject, subjectOf } from "./subject.ts";

const SESSIONS = 50;
const REQUESTS = 5;
const CALLS = 20;
const APPROVALS = 100;

/** Yields after each session, so that others can run in between. */
export function* picture(queries: Queries): Generator<readonly Subject[]> {
  for (const view of queries.listSessions({}, { limit: SESSIONS }).items) {
    const { workspace, id } = view;
    const place = { workspace, session: id };
    const requests = queries.listRequests(place, { limit: REQUESTS }).items;
    const calls = queries.toolCallsOf(id, { workspace }, { limit: CALLS })?.items ?? [];
    yield [
      subjectOf("session", place, id, view),
      ...requests.map((request) => subjectOf("request", place, request.requestId, request)),
      ...calls.map((call) => subjectOf("call", place, call.id, call)),
    ];
  }
  const approvals = queries.listApprovals({ state: "pending" }, { limit: APPROVALS }).items;
  yield approvals.map((view) =>
    subjectOf("approval", { workspace: view.workspace, session: view.sessionId }, view.id, view),
  );
}

// Now
// What a session does at the moment, as one fact: what waits for a person, what runs, or what ended last.
//
//   Owns:          which of several things at once is told.
//   Does not own:  the sentence (happening.tsx), which calls there are (model.ts).
//
// NOW-1. What waits for a person is told before what runs, and what runs before what only stands in a queue.
// NOW-2. If several calls run, the one deepest among subagents is told, and of several as deep the newest. The calls above it
//     run only because it does, so they are not counted as others.
//
// Pure: what is told depends on the timeline alone.

import type { CallRow, RequestFacts, RequestRow, Timeline } from "../model.ts";

type Call = CallRow["call"];

export type Now =
  /** Calls wait for a person, the longest first. */
  | { readonly kind: "waits"; readonly call: Call; readonly since: number; readonly others: number }
  | { readonly kind: "runs"; readonly call: Call; readonly since: number; readonly others: number }
  /** A request runs, and none of its calls does: the agent reads, thinks or writes. */
  | { readonly kind: "works"; readonly request: RequestFacts; readonly since: number }
  | { readonly kind: "queued"; readonly request: RequestFacts; readonly since: number }
  | { readonly kind: "ended"; readonly since: number }
  | { readonly kind: "rests"; readonly request: RequestFacts; readonly since: number }
  | { readonly kind: "new" };

/** States of a request that has begun and not ended, and of one that has not begun. */
const RUNNING = "processing";
const UNBEGUN: ReadonlySet<string> = new Set(["created", "queued"]);

/** Finds what the session does now. @param timeline with all known calls, not only those that match a search. */
export function nowOf({ session, requests }: Timeline): Now {
  const rows = requests.filter(isUnended).flatMap(rowsOf);
  return (
    waitsIn(rows) ??
    (session?.state === "ended" ? ended(session.lastEvent.at) : undefined) ??
    runsIn(rows) ??
    standsIn(requests)
  );
}

const isUnended = ({ request: { state, completedAt } }: RequestRow): boolean =>
  completedAt === undefined && (state === RUNNING || state === "unknown" || UNBEGUN.has(state));

const rowsOf = ({ batches }: RequestRow): readonly CallRow[] => batches.flatMap(({ rows }) => rows);

const ended = (since: number): Now => ({ kind: "ended", since });

/** Finds the call that has waited longest for a person (NOW-1). */
function waitsIn(rows: readonly CallRow[]): Now | undefined {
  const asked = rows.flatMap(({ call, waiting }) => (waiting ? [{ call, since: waiting.askedAt }] : []));
  const [first, ...others] = asked.toSorted((a, b) => a.since - b.since);
  return first && { kind: "waits", ...first, others: others.length };
}

/** Finds the newest of the calls that run deepest among subagents (NOW-2). */
function runsIn(rows: readonly CallRow[]): Now | undefined {
  const running = rows.filter(({ call }) => call.execution === "processing" && call.closedAt === undefined);
  const above = new Set(running.map(({ call }) => call.parentCallId));
  const lowest = running.filter(({ call }) => !above.has(call.id));
  const [told] = lowest.toSorted((a, b) => b.depth - a.depth || begunAt(b.call) - begunAt(a.call));
  return told && { kind: "runs", call: told.call, since: begunAt(told.call), others: lowest.length - 1 };
}

const begunAt = ({ startedAt, createdAt }: Call): number => startedAt ?? createdAt;

/** Finds the request to tell of when no call runs: the newest that runs, else the oldest not yet begun, else the last. */
function standsIn(requests: readonly RequestRow[]): Now {
  const running = requests.findLast((row) => isUnended(row) && row.request.state === RUNNING);
  if (running) return { kind: "works", request: running.request, since: running.to };
  const unbegun = requests.find((row) => isUnended(row) && UNBEGUN.has(row.request.state));
  if (unbegun) return { kind: "queued", request: unbegun.request, since: unbegun.request.createdAt };
  const last = requests.at(-1);
  return last ? { kind: "rests", request: last.request, since: last.to } : { kind: "new" };
}

// Now
// Finds the one fact that says what a session does at present: what waits for a person, what runs, or what ended last.
//
//   Owns:          choosing the fact if several things happen at the same time.
//   Does not own:  the sentence about the fact (happening.tsx), which calls there are (model.ts).
//
// NOW-1. The fact about a session is what waits for a person, if anything does; otherwise that the session has ended, if it has;
//     otherwise what runs; otherwise what is queued; otherwise the last request.
// NOW-2. If several calls run, the page names the call that is nested deepest among subagents, and of several equally deep
//     calls the newest. The calls above the named call only wait for it to end, so the page does not count them as running.

import { type CallRow, type RequestFacts, type RequestRow, rowsOf, type Timeline } from "../model.ts";

type Call = CallRow["call"];

export type Now =
  /** Calls wait for a person: `call` has waited longest, and `others` is the number of the other waiting calls. */
  | { readonly kind: "waits"; readonly call: Call; readonly since: number; readonly others: number }
  | { readonly kind: "runs"; readonly call: Call; readonly since: number; readonly others: number }
  /** A request runs, and none of its calls does: the agent reads, thinks or writes. */
  | { readonly kind: "works"; readonly request: RequestFacts; readonly since: number }
  | { readonly kind: "queued"; readonly request: RequestFacts; readonly since: number }
  | { readonly kind: "ended"; readonly since: number }
  | { readonly kind: "rests"; readonly request: RequestFacts; readonly since: number }
  | { readonly kind: "new" };

const RUNNING = "processing";
const UNBEGUN: ReadonlySet<string> = new Set(["created", "queued"]);

/** @param timeline the timeline with all known calls, not only those that match a search. */
export function nowOf({ session, requests }: Timeline): Now {
  const rows = requests.filter(isUnended).flatMap(rowsOf);
  return (
    waitsIn(rows) ??
    (session?.state === "ended" ? { kind: "ended", since: session.lastEvent.at } : undefined) ??
    runsIn(rows) ??
    standsIn(requests)
  );
}

const isUnended = ({ request: { state, completedAt } }: RequestRow): boolean =>
  completedAt === undefined && (state === RUNNING || state === "unknown" || UNBEGUN.has(state));

function waitsIn(rows: readonly CallRow[]): Now | undefined {
  const asked = rows.flatMap(({ call, waiting }) => (waiting ? [{ call, since: waiting.askedAt }] : []));
  const [first, ...others] = asked.toSorted((a, b) => a.since - b.since);
  return first && { kind: "waits", ...first, others: others.length };
}

/** NOW-2. The running call that the page names, and how many others run. */
function runsIn(rows: readonly CallRow[]): Now | undefined {
  const running = rows.filter(({ call }) => call.execution === "processing" && call.closedAt === undefined);
  const above = new Set(running.map(({ call }) => call.parentCallId));
  const lowest = running.filter(({ call }) => !above.has(call.id));
  const [told] = lowest.toSorted((a, b) => b.depth - a.depth || begunAt(b.call) - begunAt(a.call));
  return told && { kind: "runs", call: told.call, since: begunAt(told.call), others: lowest.length - 1 };
}

const begunAt = ({ startedAt, createdAt }: Call): number => startedAt ?? createdAt;

/** If no call runs, the fact is about a request: the newest that runs, else the oldest that has not begun, else the last. */
function standsIn(requests: readonly RequestRow[]): Now {
  const running = requests.findLast((row) => isUnended(row) && row.request.state === RUNNING);
  if (running) return { kind: "works", request: running.request, since: running.to };
  const unbegun = requests.find((row) => isUnended(row) && UNBEGUN.has(row.request.state));
  if (unbegun) return { kind: "queued", request: unbegun.request, since: unbegun.request.createdAt };
  const last = requests.at(-1);
  return last ? { kind: "rests", request: last.request, since: last.to } : { kind: "new" };
}

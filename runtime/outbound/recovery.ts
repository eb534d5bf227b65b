// Recovery
// Makes the report that the engine publishes after a start: how many requests and approvals are open, and which requests have
// been open for the longest time.
//
//   Owns:          the report after a restart (S1.19, S1.21).
//   Does not own:  ending hung requests, which overdue deadlines do in ordinary turns (R2).

import { after, keys } from "../rows/keys.ts";
import type { Lost } from "../turn/missing.ts";
import type { Store } from "../ports.ts";

export interface Recovered {
  readonly epoch: number;
  readonly at: number;
  /** How many journal entries the engine applied before it was ready. */
  readonly replayed: number;
  readonly openRequests: number;
  readonly pendingApprovals: number;
  /** The entries that the journal lacked, if the start continued without them. */
  readonly lost?: Lost;
  /** Addresses of the oldest open requests. */
  readonly oldest: readonly string[];
}

const OLDEST_MAX = 100;
const OPEN = ["created", "queued", "processing"];

export function recoveredReport(
  store: Store,
  start: Pick<Recovered, "epoch" | "at" | "replayed" | "lost">,
): Recovered {
  const found: string[] = [];
  let openRequests = 0;
  for (const state of OPEN) {
    const range = rangeOf(["request", "state", state]);
    let ofState = 0;
    for (const [key] of store.range(range)) {
      openRequests += 1;
      if (++ofState <= OLDEST_MAX) found.push(key.slice(range.gte.length));
    }
  }
  // After the prefix, each key has a time and then an address, so sorting puts the oldest first.
  const oldest = found.sort().slice(0, OLDEST_MAX).map(addressIn);
  let pendingApprovals = 0;
  for (const _ of store.range(rangeOf(["approval", "state", "pending"]))) pendingApprovals += 1;
  return { ...start, openRequests, pendingApprovals, oldest };
}

const addressIn = (timed: string): string => timed.slice(timed.indexOf("/") + 1);

function rangeOf(list: readonly string[]): { gte: string; lt: string } {
  const prefix = keys.list(list);
  return { gte: prefix, lt: after(prefix) };
}

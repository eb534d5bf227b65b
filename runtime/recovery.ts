// Recovery
// What a start finds open, told to people.
//
//   Owns:          the report after a restart (S1.19, S1.21).
//   Does not own:  ending what is hung: overdue deadlines fire as ordinary turns (R2).

import { keys } from "./keys.ts";
import type { Store } from "./ports.ts";

export interface Recovered {
  readonly epoch: number;
  readonly at: number;
  /** Journal entries applied before the engine was ready. */
  readonly replayed: number;
  readonly openRequests: number;
  readonly pendingApprovals: number;
  /** Addresses of the oldest open requests. */
  readonly oldest: readonly string[];
}

const OLDEST_MAX = 100;
const OPEN = ["created", "queued", "processing"];

export function recoveredReport(
  store: Store,
  start: Pick<Recovered, "epoch" | "at" | "replayed">,
): Recovered {
  const oldest: string[] = [];
  let openRequests = 0;
  for (const state of OPEN) {
    for (const [, address] of store.range(rangeOf(["request", "state", state]))) {
      openRequests += 1;
      if (oldest.length < OLDEST_MAX) oldest.push(JSON.parse(address) as string);
    }
  }
  let pendingApprovals = 0;
  for (const _ of store.range(rangeOf(["approval", "state", "pending"]))) pendingApprovals += 1;
  return { ...start, openRequests, pendingApprovals, oldest };
}

function rangeOf(list: readonly string[]): { gte: string; lt: string } {
  const prefix = keys.list(list);
  return { gte: prefix, lt: `${prefix.slice(0, -1)}0` };
}

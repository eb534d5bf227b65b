// Pending
// Counts, in all sessions together, the calls without a result, and the results without a call (S0.15).
//
//   Owns:          which sessions are counted, and the sums.
//   Does not own:  counting within one session (machines/books), showing the sums.
//
// PENDING-1. At most the 1,000 newest sessions are read. Ended sessions are left out, because they have no open calls.

import { type Address, head } from "../../../machines/index.ts";
import { glimpseBooks } from "../../rows/actors/actor-rows.ts";
import { after, keys } from "../../rows/keys.ts";
import type { Store } from "../../ports.ts";

export interface Pending {
  /** How many calls were announced or began, and have no result (pendingPre). */
  readonly calls: number;
  /** How many results came before their call and still wait for it (pendingPost). */
  readonly results: number;
  /**
   * How many results were dropped because 1,024 results of the session waited for their calls already; only in sessions that
   * have not ended.
   */
  readonly dropped: number;
  /** True if the counts are incomplete, because there are more sessions than were read. */
  readonly isPart: boolean;
}

const SESSIONS_MAX = 1_000;
const OPEN = ["running", "waiting_input", "idle"] as const;

/** @param lost called with a session that cannot be read. Such a session counts as 0. */
export function pendingIn(store: Store, lost: (key: string, error: unknown) => void): Pending {
  let [calls, results, dropped, left] = [0, 0, 0, SESSIONS_MAX + 1];
  for (const state of OPEN) {
    const list = keys.list(["session", "state", state]);
    for (const [key] of store.range({ gte: list, lt: after(list), limit: left, reverse: true })) {
      if (--left === 0) return { calls, results, dropped, isPart: true };
      const address = key.slice(key.indexOf("/", list.length) + 1) as Address;
      try {
        // A session's own row holds the session's head, the book with these counts, so no other row is read (actor-rows).
        const { book } = glimpseBooks(address, store.get(keys.actor(address)));
        const found = head({ get: () => book });
        calls += found.openCalls;
        results += found.orphans.size;
        dropped += found.dropped;
      } catch (error) {
        lost(keys.actor(address), error);
      }
    }
  }
  return { calls, results, dropped, isPart: false };
}

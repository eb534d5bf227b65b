// Queue books
// The books about calls that have the same agent, tool and input, so that a message without an id may mean any of them.
//
//   Owns:          the shapes of these books.
//   Does not own:  the names of the books (books), the order of ids in a queue (deque), changing the books (correlation).

import type { ApprovalId, CallId } from "../ids.ts";
import type { Deque } from "./deque.ts";

/** The queue of calls with the same (agent, tool, input), or with the same (agent, tool). */
export interface QueueBook {
  readonly announced: Deque<CallId> | undefined;
  readonly started: Deque<CallId> | undefined;
  /** Open calls without an approval. */
  readonly unclaimed: Deque<CallId> | undefined;
  /** Closed calls that late evidence may still be about. Only queues with an input have these. */
  readonly closed: Deque<CallId> | undefined;
  /** Pending approvals. Only queues with an input have these. */
  readonly pending: Deque<ApprovalId> | undefined;
  /** The most calls that were announced, or started, at one time. If that was more than one, a match is ambiguous (I-18). */
  readonly most?: { readonly announced: number; readonly started: number };
}

/** The calls with one (agent, tool, input) that were reported without an id, open or closed. */
export interface NamelessBook {
  /** Calls that still have no id. */
  readonly unnamed: Deque<CallId>;
  /** Calls that no list of a batch without ids has named yet. */
  readonly unlisted: Deque<CallId>;
  /** The most calls that had no id at one time. If that was more than one, a match is ambiguous (I-18). */
  readonly most?: number;
}

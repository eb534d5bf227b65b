// Queue books
// The books about calls that look equal.
//
//   Owns:          the shapes of these books.
//   Does not own:  the names of the books (books), the order of ids (deque), changing the books (line, correlation).

import type { ApprovalId, CallId } from "../ids.ts";
import type { Deque } from "./deque.ts";

/** The calls of one (agent, tool, input) or one (agent, tool). */
export interface QueueBook {
  readonly announced: Deque<CallId> | undefined;
  readonly started: Deque<CallId> | undefined;
  /** Open calls without an approval. */
  readonly unclaimed: Deque<CallId> | undefined;
  /** Closed calls, kept for late evidence. Only under (agent, tool, input). */
  readonly closed: Deque<CallId> | undefined;
  /** Pending approvals; only under (agent, tool, input). */
  readonly pending: Deque<ApprovalId> | undefined;
  /** The most that were announced, or started, at the same time; with more than one, a match is ambiguous (I-18). */
  readonly most?: { readonly announced: number; readonly started: number };
}

/** The calls of one (agent, tool, input) that were entered without an id, open or closed. */
export interface NamelessBook {
  /** Calls that have no id so far. */
  readonly unnamed: Deque<CallId>;
  /** Calls that no list of a batch without ids has claimed yet. */
  readonly unlisted: Deque<CallId>;
  /** The most that were without an id at the same time; with more than one, a match is ambiguous (I-18). */
  readonly most?: number;
}

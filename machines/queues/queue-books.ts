// Queue books
// What is kept of calls that look equal.
//
//   Owns:          the shapes.
//   Does not own:  their names (books), their order (deque), when they change (line, correlation).

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
  /** How many were announced, or started, at once, since none was: more than one could be meant (I-18). */
  readonly most?: { readonly announced: number; readonly started: number };
}

/** The calls of one (agent, tool, input) that were entered without an id, open or closed. */
export interface NamelessBook {
  /** Those that have not got an id since. */
  readonly unnamed: Deque<CallId>;
  /** Those that no list of a batch without ids has claimed yet. */
  readonly unlisted: Deque<CallId>;
  /** How many were without an id at once, since none was: more than one could be meant (I-18). */
  readonly most?: number;
}

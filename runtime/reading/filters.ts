// Filters
// The filters of lists.
//
//   Owns:          the fields of each list's filter.
//   Does not own:  which list answers it (listing), how fields are read (parameters).

import type { Hint } from "./lookup.ts";

export interface ListFilter {
  readonly workspace?: string;
  readonly state?: string;
  /** ms; since ≤ createdAt < until. */
  readonly since?: number;
  readonly until?: number;
}

export interface RequestFilter extends Hint, ListFilter {
  readonly chatId?: string;
}

export interface CallFilter extends Hint {
  readonly request?: string;
  /** The state of its execution. */
  readonly state?: string;
}

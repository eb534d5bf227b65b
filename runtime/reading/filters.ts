// Filters
// The fields by which a query restricts a list.
//
//   Owns:          the fields of each list's filter.
//   Does not own:  which list answers a filter (listing), parsing the fields (parameters).

import type { CallView, RequestView } from "../rows/views.ts";
import type { Hint } from "./lookup.ts";
import { STATES } from "./figures/stats.ts";

export interface ListFilter {
  readonly workspace?: string;
  /** Matches any of these workspaces, if `workspace` is left out. */
  readonly workspaces?: readonly string[];
  readonly state?: string;
  /** The earliest creation, ms: since ≤ createdAt < until. */
  readonly since?: number;
  readonly until?: number;
}

/** A request in `processing` that waits for a person. A query may use it like a state. */
const WAITING = "waiting";
export const REQUEST_STATES: readonly string[] = [...STATES.requests.states, WAITING];

/** The filter by which lists are chosen: the index lists a waiting request as "processing". */
export const listedAs = ({ state, ...filter }: RequestFilter): RequestFilter => ({
  ...filter,
  ...(state !== undefined && { state: state === WAITING ? "processing" : state }),
});

export function fitsRequest(view: RequestView, { workspace, state, chatId }: RequestFilter): boolean {
  if ((workspace ?? view.workspace) !== view.workspace) return false;
  if (chatId !== undefined && chatId !== String(view.chatId)) return false;
  return state === WAITING ? view.waiting : (state ?? view.state) === view.state;
}

export const fitsCall = (
  view: Pick<CallView, "requestId" | "execution">,
  { request, state, text }: CallFilter,
): boolean =>
  (request ?? view.requestId) === view.requestId &&
  (state ?? view.execution) === view.execution &&
  (text === undefined || JSON.stringify(view).toLowerCase().includes(text.toLowerCase()));

export interface RequestFilter extends Hint, ListFilter {
  readonly chatId?: string;
}

export interface CallFilter extends Hint {
  /** A text that the view of the call must contain, in any letter case. */
  readonly text?: string;
  readonly request?: string;
  readonly state?: string;
}

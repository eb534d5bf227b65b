// Filters
// The fields by which a query restricts a list.
//
//   Owns:          by which fields each list can be filtered.
//   Does not own:  which list answers a filter (listing), parsing the fields (parameters).

import type { CallView, RequestView } from "../rows/views.ts";
import type { Hint } from "./lookup.ts";
import { STATES } from "./figures/stats.ts";

export interface ListFilter {
  readonly workspace?: string;
  /** If `workspace` is left out, the filter selects what is in any of these workspaces. */
  readonly workspaces?: readonly string[];
  readonly state?: string;
  /** The earliest time of creation, ms: since ≤ createdAt < until. */
  readonly since?: number;
  readonly until?: number;
}

/** A query may name this word as a state: it then selects the requests in `processing` that wait for a person. */
const WAITING = "waiting";
export const REQUEST_STATES: readonly string[] = [...STATES.requests.states, WAITING];

/** The filter that chooses the lists of the index for a request filter: the index lists a waiting request as "processing". */
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

// Filters
// The filters of lists.
//
//   Owns:          the fields of each list's filter.
//   Does not own:  which list answers it (listing), how fields are read (parameters).

import type { CallView, RequestView } from "../rows/views.ts";
import type { Hint } from "./lookup.ts";
import { STATES } from "./figures/stats.ts";

export interface ListFilter {
  readonly workspace?: string;
  /** Any of these, where it does not name one. */
  readonly workspaces?: readonly string[];
  readonly state?: string;
  /** ms; since ≤ createdAt < until. */
  readonly since?: number;
  readonly until?: number;
}

/** A request that is being processed and waits for a person: asked for as if it were a state of its own. */
const WAITING = "waiting";
export const REQUEST_STATES: readonly string[] = [...STATES.requests.states, WAITING];

/** The list that has what a filter asks for, and more where it is no list's state. */
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
  /** Stands somewhere in what is shown of the call, in whatever case. */
  readonly text?: string;
  readonly request?: string;
  /** The state of its execution. */
  readonly state?: string;
}

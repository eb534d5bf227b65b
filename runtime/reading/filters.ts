// Filters
// The fields by which a query can filter a list. For a query for requests, also which of the stored lists of requests the
// engine reads in order to read few rows.
//
//   Owns:          by which fields each list can be filtered; choosing the lists of requests by session, by chat, or by workspace
//                  and state.
//   Does not own:  the rows of the lists (rows/listing), parsing the fields (parameters).

import { isId, parseAddress } from "../../machines/index.ts";
import { listsBy, LISTS } from "../rows/listing.ts";
import type { CallView, RequestView } from "../rows/views.ts";
import { findSession, type Hint } from "./lookup.ts";
import type { Reader } from "./reader.ts";
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

/** As a state in a query, this word selects the requests in `processing` that wait for a person. */
const WAITING = "waiting";
export const REQUEST_STATES: readonly string[] = [...STATES.requests.states, WAITING];

/** Replaces the state `waiting` by `processing`, under which the index lists a waiting request. */
const listedAs = ({ state, ...filter }: RequestFilter): RequestFilter => ({
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

/**
 * The lists of the index in which the wanted requests are.
 * @returns no list if no request can match.
 * @throws AmbiguousError for a session id in several workspaces.
 */
export function requestListsOf(reader: Reader, wanted: RequestFilter): readonly (readonly string[])[] {
  const filter = listedAs(wanted);
  const { session, chatId, workspace, workspaces } = filter;
  if (session !== undefined) {
    const home = findSession(reader, session, filter);
    const where = home && parseAddress(home);
    return where ? [LISTS.requestsOfSession(where.workspace, where.session)] : [];
  }
  if (chatId === undefined) return listsBy("request", filter);
  const places = workspace === undefined ? workspaces : [workspace];
  if (places === undefined) return [LISTS.requestsOfChat(chatId)];
  return places.filter((place) => isId(place)).map((place) => LISTS.requestsOfChatIn(place, chatId));
}

export interface RequestFilter extends Hint, ListFilter {
  readonly chatId?: string;
}

export interface CallFilter extends Hint {
  /** A text that the view of the call must contain, in any letter case. */
  readonly text?: string;
  readonly request?: string;
  readonly state?: string;
}

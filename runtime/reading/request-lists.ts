// Request lists
// Chooses the lists in which to read the requests that a filter selects.
//
//   Owns:          choosing the lists by session, by chat, or by workspace and state.
//   Does not own:  the rows of the lists (rows/listing), the other fields of the filter (filters).

import { isId, parseAddress } from "../../machines/index.ts";
import { listsBy, LISTS } from "../rows/listing.ts";
import { listedAs, type RequestFilter } from "./filters.ts";
import { findSession } from "./lookup.ts";
import type { Reader } from "./reader.ts";

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

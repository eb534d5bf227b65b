// Request lists
// Which list has the requests that somebody asks for.
//
//   Owns:          choosing it by session, by chat, or by workspace and state.
//   Does not own:  the lists' rows (rows/listing), what else must fit (filters).

import { isId, parseAddress } from "../../machines/index.ts";
import { listBy, LISTS } from "../rows/listing.ts";
import { listedAs, type RequestFilter } from "./filters.ts";
import { findSession } from "./lookup.ts";
import type { Reader } from "./reader.ts";

/** @returns undefined where there can be none. @throws AmbiguousError for a session of several workspaces. */
export function requestListOf(reader: Reader, wanted: RequestFilter): readonly string[] | undefined {
  const filter = listedAs(wanted);
  const { session, chatId, workspace } = filter;
  if (session !== undefined) {
    const home = findSession(reader, session, filter);
    const where = home && parseAddress(home);
    return where && LISTS.requestsOfSession(where.workspace, where.session);
  }
  if (chatId === undefined) return listBy("request", filter);
  if (workspace === undefined) return LISTS.requestsOfChat(chatId);
  return isId(workspace) ? LISTS.requestsOfChatIn(workspace, chatId) : undefined;
}

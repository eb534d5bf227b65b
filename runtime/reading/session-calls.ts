// Session calls
// Lists the calls of a session by joining the lists of its requests' calls.
//
//   Owns:          the order of a session's calls: the newest request first, and within a request the newest call first.
//   Does not own:  dividing the list into pages (paging).
//
// The list of a session's calls has no rows of its own, because each call is already listed under its request, and further rows
// for so many calls would cost too much.

import { type Address, parseAddress } from "../../machines/index.ts";
import { keys } from "../rows/keys.ts";
import { LISTS } from "../rows/listing.ts";
import { type Rows, rowsUnder } from "./paging.ts";
import type { Store } from "../ports.ts";

/** @param request restricts the list to the calls of this request. */
export function callsOf(store: Pick<Store, "range">, home: Address, request: string | undefined): Rows {
  if (request !== undefined) return rowsUnder(store, keys.callsOfRequest(home, request));
  const { workspace, session } = parseAddress(home);
  const requests = keys.list(LISTS.requestsOfSession(workspace, session));
  return function* (end) {
    const [requestEnd, callEnd] = end?.split("~") ?? [];
    if (requestEnd !== undefined && callEnd !== undefined) yield* callsIn(requestEnd, callEnd);
    for (const [place] of rowsUnder(store, requests)(requestEnd)) {
      yield* callsIn(place, undefined);
      // This empty row is not shown. It counts towards the 1,000 rows that may be read for a page (PAGING-1), so that a page
      // ends even if very many requests have no calls.
      yield [place, ""];
    }
  };

  function* callsIn(place: string, end: string | undefined): Generator<readonly [string, string]> {
    const id = place.slice(place.lastIndexOf("/") + 1);
    for (const [call, address] of rowsUnder(store, keys.callsOfRequest(home, id))(end))
      yield [`${place}~${call}`, address];
  }
}

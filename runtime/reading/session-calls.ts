// Session calls
// Lists the calls of a session by joining the lists of its requests' calls.
//
//   Owns:          the order: the newest request first, within a request the newest call first.
//   Does not own:  dividing the list into pages (paging).
//
// The list has no rows of its own: there are many calls, and each is already listed under its request.

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
      // A request is yielded as an empty row: nothing is shown for it, but it counts as one row that was read.
      yield [place, ""];
    }
  };

  function* callsIn(place: string, end: string | undefined): Generator<readonly [string, string]> {
    const id = place.slice(place.lastIndexOf("/") + 1);
    for (const [call, address] of rowsUnder(store, keys.callsOfRequest(home, id))(end))
      yield [`${place}~${call}`, address];
  }
}

// Search ids
// Finds every session, request, approval and call with exactly a given id, without the search index.
//
//   Owns:          which rows are read to find an id.
//   Does not own:  queries in which an id must name exactly one actor (lookup), what is shown of a hit (search).
//
// SEARCH-IDS-1. If the caller names a workspace, only rows of that workspace are read.

import { type Address, childAddress, isId, sessionAddress } from "../../../machines/index.ts";
import type { SessionId, WorkspaceId } from "../../../machines/index.ts";
import { keys } from "../../rows/keys.ts";
import type { Reader } from "../reader.ts";

/**
 * The addresses that an id may have.
 * @param limit how many addresses of each kind.
 * @returns addresses, perhaps of actors that no longer exist.
 */
export function addressesOf(
  reader: Reader,
  id: string,
  limit: number,
  workspace: string | undefined,
): readonly Address[] {
  if (!isId(id) || (workspace !== undefined && !isId(workspace))) return [];
  // The casts are safe: isId has checked `id` and `workspace`.
  const [session, place] = [id as SessionId, workspace as WorkspaceId | undefined];
  const callHomes =
    place === undefined
      ? reader.names(keys.callOwners(id), limit)
      : reader.names(keys.callOwnersIn(id, place), limit).map((name) => `${place}/${name}`);
  const owned = (["request", "approval"] as const).flatMap((kind) =>
    place === undefined
      ? reader.rows(keys.owners(kind, id), limit)
      : [reader.row(keys.owner(kind, id, place))].filter((row) => row !== undefined),
  );
  return [
    ...placesOf(reader, session, limit, place).map((each) => sessionAddress(each, session)),
    // The cast is safe: only turns write owner rows, and only with addresses.
    ...(owned as readonly Address[]),
    ...callHomes.map((home) => childAddress(home as Address, "call", id)),
  ];
}

const placesOf = (
  reader: Reader,
  session: SessionId,
  limit: number,
  place: WorkspaceId | undefined,
): readonly WorkspaceId[] =>
  place === undefined
    ? (reader.names(keys.sessionOwners(session), limit) as readonly WorkspaceId[])
    : [place];

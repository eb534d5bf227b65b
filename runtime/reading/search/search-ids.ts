// Search ids
// Finds everything that has exactly the given id, by the owner rows, without the search index.
//
//   Owns:          which rows are read for an id.
//   Does not own:  ids that must mean one thing (lookup), what is shown (search).
//
// SEARCH-IDS-1. If a workspace is named, only rows of that workspace are read.

import { type Address, childAddress, isId, sessionAddress } from "../../../machines/index.ts";
import type { SessionId, WorkspaceId } from "../../../machines/index.ts";
import { keys } from "../../rows/keys.ts";
import type { Reader } from "../reader.ts";

/** @param limit of each kind. @returns addresses, even of what no longer exists. */
export function addressesOf(
  reader: Reader,
  id: string,
  limit: number,
  workspace: string | undefined,
): readonly Address[] {
  if (!isId(id) || (workspace !== undefined && !isId(workspace))) return [];
  // The casts are safe: isId has checked both names.
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
    // Only turns write owner rows, and always with addresses.
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

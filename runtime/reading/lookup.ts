// Lookup
// Finds the actor that an id in a query names; and for a search every session, request, approval and call with exactly this id.
//
//   Owns:          which rows are read to find an id; the answer if an id exists in several sessions or workspaces.
//   Does not own:  reading the actor (reader), what is shown of a hit (search), which workspaces a caller may see (adapters).
//   Decided in:    docs/decisions/0023-ids-count-in-their-workspace.md.
//
// LOOKUP-1. If an id names several actors, the engine does not guess: the caller gets the list of them.
// LOOKUP-2. If the caller names a workspace, only rows of this workspace are read. So the caller learns nothing of other
//     workspaces, and does not wait until their rows are read.

import {
  type Address,
  childAddress,
  defined,
  isId,
  parseAddress,
  sessionAddress,
} from "../../machines/index.ts";
import type { SessionId, WorkspaceId } from "../../machines/index.ts";
import { AmbiguousError, CANDIDATES_MAX } from "../errors/ambiguous.ts";
import { keys, type Owned } from "../rows/keys.ts";
import type { Reader } from "./reader.ts";

/** Where an id is searched. Without a workspace, all workspaces are searched. */
export interface Within {
  readonly workspace?: string;
}

/** Where an id is searched; a caller needs these fields if the id alone names several actors. */
export interface Hint extends Within {
  readonly session?: string;
}

/** @returns the session's address, even if no such session exists. @throws AmbiguousError */
export const findSession = (reader: Reader, id: string, within: Within): Address | undefined =>
  only(id, sessionsOf(reader, id, within, CANDIDATES_MAX + 1));

/**
 * The address of a request or an approval. An alias also finds its approval.
 * @throws AmbiguousError if several workspaces have the id and the caller named none.
 */
export const findOwned = (reader: Reader, kind: Owned, id: string, within: Within): Address | undefined =>
  only(id, ownedBy(reader, kind, id, within, CANDIDATES_MAX + 1));

/** @throws AmbiguousError if several sessions that match the hint have a call with this id. */
export function findCall(reader: Reader, id: string, hint: Hint): Address | undefined {
  const home = only(id, homesOf(reader, id, hint, CANDIDATES_MAX + 1));
  return home && childAddress(home, "call", id);
}

/**
 * The addresses that an id may have, of sessions, requests, approvals and calls.
 * @param limit how many addresses of each kind.
 * @returns addresses, perhaps of actors that no longer exist.
 */
export const addressesOf = (
  reader: Reader,
  id: string,
  within: Within,
  limit: number,
): readonly Address[] => [
  ...sessionsOf(reader, id, within, limit),
  ...ownedBy(reader, "request", id, within, limit),
  ...ownedBy(reader, "approval", id, within, limit),
  ...homesOf(reader, id, within, limit).map((home) => childAddress(home, "call", id)),
];

function sessionsOf(reader: Reader, id: string, { workspace }: Within, limit?: number): readonly Address[] {
  if (!isId(id) || !isId(workspace ?? id)) return [];
  // The casts are safe: `id` and `workspace` were checked, and names in owner rows were checked when they were written.
  const session = id as SessionId;
  const places = workspace === undefined ? reader.names(keys.sessionOwners(session), limit) : [workspace];
  return places.map((place) => sessionAddress(place as WorkspaceId, session));
}

function ownedBy(
  reader: Reader,
  kind: Owned,
  id: string,
  { workspace }: Within,
  limit: number,
): readonly Address[] {
  if (!isId(id) || !isId(workspace ?? id)) return [];
  const found =
    workspace === undefined
      ? reader.rows(keys.owners(kind, id), limit)
      : [reader.row(keys.owner(kind, id, workspace as WorkspaceId))].filter((row) => row !== undefined);
  // The cast is safe: only turns write owner rows, and only with addresses.
  return found as readonly Address[];
}

/** The sessions that have a call with this id. */
function homesOf(
  reader: Reader,
  id: string,
  { workspace, session }: Hint,
  limit: number,
): readonly Address[] {
  if (![id, workspace ?? id, session ?? id].every(isId)) return [];
  if (session !== undefined) {
    const homes = sessionsOf(reader, session, defined({ workspace }));
    return homes.filter((home) => reader.row(keys.callOwner(id, home)) !== undefined);
  }
  // The casts are safe, as in sessionsOf.
  if (workspace === undefined) return reader.names(keys.callOwners(id), limit) as readonly Address[];
  const names = reader.names(keys.callOwnersIn(id, workspace as WorkspaceId), limit);
  return names.map((name) => `${workspace}/${name}` as Address);
}

/** The one address that was found; undefined if none was found. @throws AmbiguousError if several were found. */
function only(id: string, found: readonly Address[]): Address | undefined {
  const [first, ...others] = found;
  if (others.length === 0) return first;
  throw new AmbiguousError(
    id,
    found.map((address) => {
      const { workspace, session } = parseAddress(address);
      return { workspace, sessionId: session, id };
    }),
  );
}

// Lookup
// Finds the actor that an id from outside means.
//
//   Owns:          ids that exist in several sessions or workspaces.
//   Does not own:  reading what was found (reader), what an asker may ask about (adapters).
//   Decided in:    docs/decisions/0023-ids-count-in-their-workspace.md.
//
// LOOKUP-1. An id with several meanings is never guessed: the asker gets the list.
// LOOKUP-2. An asker who names a workspace sees nothing of another one, and does not wait for it: only the named
//     workspace's rows are read.

import { type Address, childAddress, isId, parseAddress, sessionAddress } from "../../machines/index.ts";
import type { SessionId, WorkspaceId } from "../../machines/index.ts";
import { AmbiguousError, CANDIDATES_MAX } from "../errors/ambiguous.ts";
import { keys, type Owned } from "../rows/keys.ts";
import type { Reader } from "./reader.ts";

/** Where to look for an id; a field left out means anywhere. */
export interface Within {
  readonly workspace?: string;
}

/** What the asker adds to an id to distinguish it. */
export interface Hint extends Within {
  readonly session?: string;
}

/** @returns the session's address, whether or not the session exists. @throws AmbiguousError */
export function findSession(reader: Reader, id: string, { workspace }: Within): Address | undefined {
  if (!isId(id)) return undefined;
  const session = id as SessionId;
  if (workspace !== undefined)
    return isId(workspace) ? sessionAddress(workspace as WorkspaceId, session) : undefined;
  const owners = reader.names(keys.sessionOwners(session), CANDIDATES_MAX + 1) as readonly WorkspaceId[];
  return only(
    id,
    owners.map((owner) => sessionAddress(owner, session)),
  );
}

/**
 * @returns the address of the request or the approval; for a second id of an approval, that of the approval.
 * @throws AmbiguousError if it is in several workspaces and none was named.
 */
export function findOwned(
  reader: Reader,
  kind: Owned,
  id: string,
  { workspace }: Within,
): Address | undefined {
  if (!isId(id)) return undefined;
  // Only the turn writes owner rows, with addresses it made.
  if (workspace !== undefined)
    return isId(workspace)
      ? (reader.row(keys.owner(kind, id, workspace as WorkspaceId)) as Address | undefined)
      : undefined;
  return only(id, reader.rows(keys.owners(kind, id), CANDIDATES_MAX + 1) as readonly Address[]);
}

/** @throws AmbiguousError if the same client id was used in several sessions that match the hint. */
export function findCall(reader: Reader, id: string, hint: Hint): Address | undefined {
  if (![id, hint.workspace ?? id, hint.session ?? id].every(isId)) return undefined;
  const home = only(id, homesOf(reader, id, hint));
  return home && childAddress(home, "call", id);
}

/** The sessions that have the call. */
function homesOf(reader: Reader, id: string, { workspace, session }: Hint): readonly Address[] {
  // Both were checked; owner rows end in checked names.
  const [place, name] = [workspace as WorkspaceId | undefined, session as SessionId | undefined];
  if (name === undefined) {
    const prefix = place === undefined ? keys.callOwners(id) : keys.callOwnersIn(id, place);
    const found = reader.names(prefix, CANDIDATES_MAX + 1);
    return found.map((rest) => (place === undefined ? rest : `${place}/${rest}`) as Address);
  }
  const places = place === undefined ? reader.names(keys.sessionOwners(name)) : [place];
  return places
    .map((each) => sessionAddress(each as WorkspaceId, name))
    .filter((home) => reader.row(keys.callOwner(id, home)) !== undefined);
}

/** @throws AmbiguousError when there are several. */
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

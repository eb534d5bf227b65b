// Lookup
// Finds the actor that an id in a query names.
//
//   Owns:          the answer if an id exists in several sessions or workspaces.
//   Does not own:  reading the actor (reader), which workspaces a caller may see (adapters).
//   Decided in:    docs/decisions/0023-ids-count-in-their-workspace.md.
//
// LOOKUP-1. If an id names several actors, the engine does not guess: the caller gets the list of them.
// LOOKUP-2. If the caller names a workspace, only rows of this workspace are read. So the caller sees nothing of other
//     workspaces, and does not wait until their rows are read.

import { type Address, childAddress, isId, parseAddress, sessionAddress } from "../../machines/index.ts";
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
 * The address of a request or an approval. An alias also finds its approval.
 * @throws AmbiguousError if several workspaces have the id and the caller named none.
 */
export function findOwned(
  reader: Reader,
  kind: Owned,
  id: string,
  { workspace }: Within,
): Address | undefined {
  if (!isId(id)) return undefined;
  // The casts are safe: only turns write owner rows, and only with addresses.
  if (workspace !== undefined)
    return isId(workspace)
      ? (reader.row(keys.owner(kind, id, workspace as WorkspaceId)) as Address | undefined)
      : undefined;
  return only(id, reader.rows(keys.owners(kind, id), CANDIDATES_MAX + 1) as readonly Address[]);
}

/** @throws AmbiguousError if several sessions that match the hint have a call with this id. */
export function findCall(reader: Reader, id: string, hint: Hint): Address | undefined {
  if (![id, hint.workspace ?? id, hint.session ?? id].every(isId)) return undefined;
  const home = only(id, homesOf(reader, id, hint));
  return home && childAddress(home, "call", id);
}

function homesOf(reader: Reader, id: string, { workspace, session }: Hint): readonly Address[] {
  // The casts are safe: `workspace` and `session` were checked before, and names in owner rows were checked when they were
  // written.
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

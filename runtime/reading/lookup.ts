// Lookup
// Finds the actor that an id from outside means.
//
//   Owns:          ids that exist in several sessions or workspaces.
//   Does not own:  reading the actor (reader), which workspaces an asker may see (adapters).
//   Decided in:    docs/decisions/0023-ids-count-in-their-workspace.md.
//
// LOOKUP-1. If an id means several things, the engine does not guess: the asker gets the list of them.
// LOOKUP-2. If an asker names a workspace, only that workspace's rows are read. The asker sees nothing of another
//     workspace, and does not wait for its rows.

import { type Address, childAddress, isId, parseAddress, sessionAddress } from "../../machines/index.ts";
import type { SessionId, WorkspaceId } from "../../machines/index.ts";
import { AmbiguousError, CANDIDATES_MAX } from "../errors/ambiguous.ts";
import { keys, type Owned } from "../rows/keys.ts";
import type { Reader } from "./reader.ts";

/** Where to look for an id; a field left out means anywhere. */
export interface Within {
  readonly workspace?: string;
}

/** What an asker gives with an id to distinguish it. */
export interface Hint extends Within {
  readonly session?: string;
}

/** @returns the session's address, even if the session does not exist. @throws AmbiguousError */
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
 * The address of a request or an approval; an approval may be named by its alias.
 * @throws AmbiguousError if the id is in several workspaces and none was named.
 */
export function findOwned(
  reader: Reader,
  kind: Owned,
  id: string,
  { workspace }: Within,
): Address | undefined {
  if (!isId(id)) return undefined;
  // Only turns write owner rows, and always with addresses.
  if (workspace !== undefined)
    return isId(workspace)
      ? (reader.row(keys.owner(kind, id, workspace as WorkspaceId)) as Address | undefined)
      : undefined;
  return only(id, reader.rows(keys.owners(kind, id), CANDIDATES_MAX + 1) as readonly Address[]);
}

/** @throws AmbiguousError if several sessions that match the hint used the same client id. */
export function findCall(reader: Reader, id: string, hint: Hint): Address | undefined {
  if (![id, hint.workspace ?? id, hint.session ?? id].every(isId)) return undefined;
  const home = only(id, homesOf(reader, id, hint));
  return home && childAddress(home, "call", id);
}

function homesOf(reader: Reader, id: string, { workspace, session }: Hint): readonly Address[] {
  // Both names were checked before, and the names in owner rows were checked when they were written.
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

/** The only one of the addresses. @throws AmbiguousError if there are several. */
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

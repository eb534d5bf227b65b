// Lookup
// Which actor an id from outside means.
//
//   Owns:          ids that live in several sessions or workspaces.
//   Does not own:  reading what was found (reader).
//
// Q4. An id that means several is never resolved by guessing: the asker is given the list.

import { type Address, childAddress, isId, sessionAddress } from "../machines/index.ts";
import type { SessionId, WorkspaceId } from "../machines/index.ts";
import { RefusedError } from "./errors.ts";
import { keys } from "./keys.ts";
import type { Reader } from "./reader.ts";

export interface Candidate {
  readonly workspace: string;
  readonly sessionId: string;
  readonly id: string;
}

/** Thrown for an id that lives in several places. */
export class AmbiguousError extends RefusedError {
  readonly candidates: readonly Candidate[];

  constructor(id: string, candidates: readonly Candidate[]) {
    super(
      "AMBIGUOUS",
      `${id} is in ${candidates.length} places.`,
      "Say which: add workspace=, or session=, to the question.",
      "id",
    );
    this.candidates = candidates;
  }
}

/** What the asker adds to an id to tell it from others. */
export interface Hint {
  readonly workspace?: string;
  readonly session?: string;
}

/** @returns the session's address, whether or not it is still there. @throws AmbiguousError */
export function findSession(reader: Reader, id: string, { workspace }: Hint): Address | undefined {
  if (!isId(id)) return undefined;
  const session = id as SessionId;
  if (workspace !== undefined)
    return isId(workspace) ? sessionAddress(workspace as WorkspaceId, session) : undefined;
  const owners = reader.names(keys.sessionOwners(session)) as readonly WorkspaceId[];
  if (owners.length > 1)
    throw new AmbiguousError(
      id,
      owners.map((owner) => ({ workspace: owner, sessionId: id, id })),
    );
  return owners[0] && sessionAddress(owners[0], session);
}

/** @throws AmbiguousError when the same client id was used in several sessions that fit the hint. */
export function findCall(reader: Reader, id: string, hint: Hint): Address | undefined {
  if (!isId(id)) return undefined;
  const homes = reader.names(keys.callOwners(id)).flatMap((home): Candidate[] => {
    const [workspace = "", sessionId = ""] = home.split("/");
    const fits = (hint.workspace ?? workspace) === workspace && (hint.session ?? sessionId) === sessionId;
    return fits ? [{ workspace, sessionId, id }] : [];
  });
  if (homes.length > 1) throw new AmbiguousError(id, homes);
  const [home] = homes;
  // Owner rows end in addresses the engine made.
  return home && childAddress(`${home.workspace}/${home.sessionId}` as Address, "call", id);
}

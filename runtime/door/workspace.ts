// Workspace
// Decides which workspace a client's session is in.
//
//   Owns:          deriving a workspace's name from a folder; keeping a session in the workspace of its first input.
//   Does not own:  the subjects of envelopes, which name their workspace themselves.
//   Decided in:    docs/decisions/0106-who-begins-a-session-places-it.md.
//
// WORKSPACE-1. A session's first input fixes the session's workspace. If the client changes its folder later, the session stays
//     in that workspace.
// WORKSPACE-2. A session whose client names a workspace is in that workspace. If a session of another workspace has the same
//     id, the two are different sessions: neither gets a message of the other, and the later one does not move the earlier one
//     into its workspace.
// WORKSPACE-3. If a sender may send only to some workspaces, its session is in one of these; sessions of other workspaces are not
//     read.
// WORKSPACE-4. If a sender that may send only to some workspaces began a session, a message that names no workspace goes to
//     this session only if the message's folder belongs to the session's workspace. So a sender that begins a session under a
//     guessed id gets no message of the session that has this id.

import { createHash } from "node:crypto";
import {
  type Address,
  isId,
  sessionAddress,
  type SessionContext,
  type SessionId,
  type WorkspaceId,
} from "../../machines/index.ts";
import { glimpse } from "../rows/actors/actors.ts";
import { InvariantViolation, RefusedError } from "../errors/errors.ts";
import { after, keys } from "../rows/keys.ts";
import type { Store } from "../ports.ts";
import type { StoredRows } from "../rows/row-pages.ts";
import { checkWithin, isWithin, type Reach } from "../workspace-reach.ts";
import { base32 } from "../foreign-id.ts";
import { ID_RULE } from "./schemas.ts";

const SLUG_MAX = 100;
const HASH_LENGTH = 6;
const REMEMBERED_MAX = 10_000;
/** The workspace of a client that reports no folder. */
const NOWHERE = "workspace" as WorkspaceId;

/** The workspace's name for a folder: a short form of the folder's name, `-`, and 6 characters of the hash of the whole path. */
export function workspaceName(folder: string): WorkspaceId {
  const path = folder.replace(/[/\\]+$/, "");
  const slug = path
    .slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
    .slice(0, SLUG_MAX)
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^-|-$/g, "");
  const digest = base32(createHash("sha256").update(path).digest()).slice(0, HASH_LENGTH);
  return `${slug === "" ? NOWHERE : slug}-${digest}` as WorkspaceId;
}

export interface Whereabouts {
  /** The workspace that the client's user chose (`install --workspace`). */
  readonly workspace?: string;
  readonly folder?: string;
  /** The workspaces in which the client's sessions may be. */
  readonly reach?: Reach;
}

export class Workspaces {
  readonly #store: StoredRows;
  /** The workspaces of sessions whose first input may not be in the store yet, if the sender may send to every workspace. */
  readonly #remembered = new Map<SessionId, WorkspaceId>();

  constructor(store: StoredRows) {
    this.#store = store;
  }

  /** @throws RefusedError BAD_ID if the user's workspace is not an id; NOT_ALLOWED for a workspace out of reach. */
  of(session: SessionId, says: Whereabouts): WorkspaceId {
    const told = named(says);
    const { reach } = says;
    const before = reach === undefined ? this.#remembered.get(session) : undefined;
    const known = says.workspace === undefined ? (before ?? this.#stored(session, told, reach)) : told;
    const workspace = known ?? told;
    checkWithin(reach, workspace);
    if (reach === undefined) this.#remember(session, before ?? workspace);
    return workspace;
  }

  /**
   * Remembers a session's workspace. If there are too many, forgets the session that sent nothing for the longest time: by then
   * the store has that session.
   */
  #remember(session: SessionId, workspace: WorkspaceId): void {
    this.#remembered.delete(session);
    this.#remembered.set(session, workspace);
    if (this.#remembered.size <= REMEMBERED_MAX) return;
    for (const [oldest] of this.#remembered) {
      this.#remembered.delete(oldest);
      return;
    }
  }

  /**
   * The session's workspace according to the store: the folder's workspace, if it has the session; otherwise the workspace of
   * the session's first input (WORKSPACE-1).
   */
  #stored(session: SessionId, told: WorkspaceId, reach: Reach): WorkspaceId | undefined {
    const owners = ownersOf(this.#store, session);
    if (owners.includes(told) && isWithin(reach, told)) return told;
    const homes = homesOf(this.#store, session, reach).map((owner) => {
      const at = begunOf(this.#store, sessionAddress(owner, session)).createdAt;
      return { owner, at };
    });
    return homes.toSorted((one, other) => one.at - other.at)[0]?.owner;
  }
}

/** How a session began. An unreadable row counts as the newest session, begun by a sender with limited workspaces. */
function begunOf(
  store: Pick<StoredRows, "get">,
  session: Address,
): Pick<SessionContext, "createdAt" | "isUnbound"> {
  try {
    const { context } = glimpse("session", session, store.get(keys.actor(session)) ?? "");
    return context as Pick<SessionContext, "createdAt" | "isUnbound">;
  } catch (error) {
    if (error instanceof InvariantViolation) return { createdAt: Infinity };
    throw error;
  }
}

/**
 * The workspaces whose session with this id may get a message that names no workspace: those within the sender's reach; for a
 * sender with every workspace, only those whose session was begun by such a sender (WORKSPACE-4).
 */
export const homesOf = (store: StoredRows, session: SessionId, reach: Reach): readonly WorkspaceId[] =>
  ownersOf(store, session).filter((owner) =>
    reach ? isWithin(reach, owner) : begunOf(store, sessionAddress(owner, session)).isUnbound,
  );

function ownersOf(store: Pick<Store, "range">, session: SessionId): readonly WorkspaceId[] {
  const prefix = keys.sessionOwners(session);
  // The cast is safe: the workspace at the end of an owner row's key was checked when the session's first input came.
  return Array.from(
    store.range({ gte: prefix, lt: after(prefix) }),
    ([key]) => key.slice(prefix.length) as WorkspaceId,
  );
}

function named({ workspace, folder }: Whereabouts): WorkspaceId {
  if (workspace === undefined) return folder === undefined ? NOWHERE : workspaceName(folder);
  if (isId(workspace)) return workspace as WorkspaceId;
  throw new RefusedError(
    "BAD_ID",
    `The workspace ${ID_RULE}.`,
    "Install the hooks with a valid name, `npx signalbox install --workspace NAME`, or without `--workspace`.",
    "workspace",
  );
}

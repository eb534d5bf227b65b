// Workspace
// Decides which workspace a client's session is in.
//
//   Owns:          deriving a workspace's name from a folder; keeping a session in the workspace of its first input.
//   Does not own:  the subjects of envelopes, which name their workspace themselves.
//
// WORKSPACE-1. A session's first input fixes its workspace. If the client changes its folder, the session stays there.
// WORKSPACE-2. A client that names a workspace is in that workspace. A session with the same id elsewhere is another session
//     and gets nothing of it. A session that begins elsewhere later does not move the client.
// WORKSPACE-3. A sender that may send to some workspaces only is in one of them; sessions of other workspaces are not read.

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
import { checkWithin, isWithin, type Reach } from "../workspace-reach.ts";
import { base32 } from "../foreign-id.ts";
import { ID_RULE } from "./schemas.ts";

const SLUG_MAX = 100;
const HASH_LENGTH = 6;
const REMEMBERED_MAX = 10_000;
/** The workspace of a client that does not report its folder. */
const NOWHERE = "workspace" as WorkspaceId;

/** A short form of the folder's name, `-` and 6 characters of the hash of its whole path. */
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

/** The header on a hook that names the workspace its user chose. */
export const WORKSPACE_HEADER = "Signalbox-Workspace";

/** What a client reports about where it works. */
export interface Whereabouts {
  /** The workspace that the client's user chose (`install --workspace`). */
  readonly workspace?: string;
  readonly folder?: string;
  /** The workspaces that the client may be in. */
  readonly reach?: Reach;
}

export class Workspaces {
  readonly #store: Pick<Store, "get" | "range">;
  /** Sessions whose first input may not be in the store yet. */
  readonly #remembered = new Map<SessionId, WorkspaceId>();

  constructor(store: Pick<Store, "get" | "range">) {
    this.#store = store;
  }

  /** @throws RefusedError BAD_ID if the user's name is not an id; NOT_ALLOWED for a workspace out of reach. */
  of(session: SessionId, says: Whereabouts): WorkspaceId {
    const told = named(says);
    const before = this.#remembered.get(session);
    const { reach } = says;
    const known =
      before !== undefined && isWithin(reach, before) ? before : this.#stored(session, told, reach);
    const workspace = says.workspace === undefined ? (known ?? told) : told;
    checkWithin(reach, workspace);
    this.#remember(session, before ?? workspace);
    return workspace;
  }

  /** Remembers a session, and forgets the sessions that were quiet longest, which the store has by then. */
  #remember(session: SessionId, workspace: WorkspaceId): void {
    this.#remembered.delete(session);
    this.#remembered.set(session, workspace);
    if (this.#remembered.size <= REMEMBERED_MAX) return;
    for (const [oldest] of this.#remembered) {
      this.#remembered.delete(oldest);
      return;
    }
  }

  /** The workspace in the store: the folder's, if that one has the session; otherwise the first input's (WORKSPACE-1). */
  #stored(session: SessionId, told: WorkspaceId, reach: Reach): WorkspaceId | undefined {
    const owners = ownersOf(this.#store, session).filter((owner) => isWithin(reach, owner));
    if (owners.length < 2 || owners.includes(told)) return owners.includes(told) ? told : owners[0];
    const begun = owners.map((owner) => ({ owner, at: this.#begunAt(sessionAddress(owner, session)) }));
    return begun.reduce((first, next) => (next.at < first.at ? next : first)).owner;
  }

  /** When a session's first input came, ms; Infinity if its row cannot be read. */
  #begunAt(session: Address): number {
    try {
      const { context } = glimpse("session", session, this.#store.get(keys.actor(session)) ?? "");
      return (context as Pick<SessionContext, "createdAt">).createdAt;
    } catch (error) {
      if (error instanceof InvariantViolation) return Infinity;
      throw error;
    }
  }
}

export function ownersOf(store: Pick<Store, "range">, session: SessionId): readonly WorkspaceId[] {
  const prefix = keys.sessionOwners(session);
  // The cast is safe: the workspace at the end of an owner row was checked when the session's first input came.
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

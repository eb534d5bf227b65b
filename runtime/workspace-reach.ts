// Workspace reach
// The workspaces that a caller may read and send to, if the caller is restricted to some.
//
//   Owns:          which workspace a caller's request (a query or a message, by HTTP or NATS) is about, and refusing the
//                  request if the caller may not use that workspace.
//   Does not own:  who may reach which workspace (access-token), restricting a query (reading/scope).
//   Decided in:    docs/decisions/0089-a-token-has-parts.md.
//
// WORKSPACE-REACH-1. A request about a workspace that the caller may not use is refused with the same words, whether or not the
//     workspace exists.

import { RefusedError } from "./errors/errors.ts";

/** The header of a request, such as a hook, that names the workspace which the caller chose. */
export const WORKSPACE_HEADER = "Signalbox-Workspace";

/** The workspaces that a caller may use; undefined for all workspaces. */
export type Reach = ReadonlySet<string> | undefined;

export const isWithin = (reach: Reach, workspace: string): boolean => reach?.has(workspace) ?? true;

/** @throws RefusedError NOT_ALLOWED */
export function checkWithin(reach: Reach, workspace: string): void {
  if (!isWithin(reach, workspace)) throw outside(reach);
}

/**
 * The workspace of a request: the named workspace, or the only one within reach. Undefined if the request may mean any workspace
 * within reach.
 * @throws RefusedError NOT_ALLOWED
 */
export function placeWithin(reach: Reach, named: string | undefined): string | undefined {
  if (named !== undefined) checkWithin(reach, named);
  const [only, ...others] = reach ?? [];
  return named ?? (others.length === 0 ? only : undefined);
}

/**
 * The workspace that has an id. If the caller may use several workspaces, each of these is searched.
 * @param isThere whether a workspace has the id.
 * @throws RefusedError NOT_ALLOWED; WORKSPACE_NEEDED if several have it.
 */
export function homeWithin(
  reach: Reach,
  named: string | undefined,
  isThere: (workspace: string) => boolean,
): string | undefined {
  const place = placeWithin(reach, named);
  if (reach === undefined || place !== undefined) return place;
  const [first, ...others] = [...reach].filter(isThere);
  if (others.length > 0) throw workspaceNeeded(reach);
  // If no workspace within reach has the id, the first workspace is returned: the query then finds nothing there.
  return first ?? [...reach][0] ?? "";
}

/** @throws RefusedError WORKSPACE_NEEDED if several workspaces are within reach and the caller named none. */
export function oneWithin(reach: Reach, named: string | undefined): string | undefined {
  const place = placeWithin(reach, named);
  if (reach !== undefined && place === undefined) throw workspaceNeeded(reach);
  return place;
}

const outside = (reach: Reach): RefusedError =>
  new RefusedError(
    "NOT_ALLOWED",
    `This token is valid in ${workspacesIn(reach)} only.`,
    "The operator can make a token for another workspace: `npx signalbox token add NAME --workspace …` on the engine's machine.",
    "workspace",
  );

const workspaceNeeded = (reach: Reach): RefusedError =>
  new RefusedError(
    "WORKSPACE_NEEDED",
    `The request does not say which of ${workspacesIn(reach)} it is about.`,
    "Add workspace= to the query, or send the header Signalbox-Workspace.",
    "workspace",
  );

export const workspacesIn = (reach: Reach): string =>
  `the workspace${reach?.size === 1 ? "" : "s"} ${[...(reach ?? [])].sort().join(", ")}`;

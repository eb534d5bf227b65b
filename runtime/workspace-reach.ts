// Workspace reach
// The workspaces that a caller may read and send to, if not all.
//
//   Owns:          which workspace a request is about, what is refused.
//   Does not own:  who may reach which workspace (access-token), restricting a query (reading/scope).
//   Decided in:    docs/decisions/0089-a-token-has-parts.md.
//
// WORKSPACE-REACH-1. A workspace out of reach is refused with the same words, whether it exists or not.

import { RefusedError } from "./errors/errors.ts";

/** All if undefined. */
export type Reach = ReadonlySet<string> | undefined;

export const isWithin = (reach: Reach, workspace: string): boolean => reach?.has(workspace) ?? true;

/** @throws RefusedError NOT_ALLOWED */
export function checkWithin(reach: Reach, workspace: string): void {
  if (!isWithin(reach, workspace)) throw outside(reach);
}

/**
 * The workspace of a request: the named one, or the only one within reach. Undefined if the request may mean any within reach.
 * @throws RefusedError NOT_ALLOWED
 */
export function placeWithin(reach: Reach, named: string | undefined): string | undefined {
  if (named !== undefined) checkWithin(reach, named);
  const [only, ...others] = reach ?? [];
  return named ?? (others.length === 0 ? only : undefined);
}

/**
 * The workspace of an id, which is searched for in each of several workspaces.
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
  // If the id is in none of these workspaces, the first one stands for all: the query then finds nothing there.
  return first ?? [...reach][0] ?? "";
}

/** @throws RefusedError WORKSPACE_NEEDED if several are within reach and none is named. */
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

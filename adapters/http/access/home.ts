// Home
// Finds the workspace of an approval or a rule that a request names only by its id, among those its sender may use.
//
//   Owns:          looking for the id in each workspace.
//   Does not own:  which workspace is refused (runtime/workspace-reach), looking up an id (runtime/reading).

import type { Context } from "hono";
import { defined } from "../../../machines/index.ts";
import { homeWithin } from "../../../runtime/workspace-reach.ts";
import type { Within } from "../../../runtime/reading/lookup.ts";
import type { Queries } from "../../../runtime/reading/queries.ts";
import { type Env, reachOf } from "../context.ts";

/**
 * Finds the workspace of an approval.
 * @param named the workspace that the request itself names, if any. @throws RefusedError NOT_ALLOWED, WORKSPACE_NEEDED
 */
export function approvalHome(c: Context<Env>, queries: Queries, id: string, named?: string): Within {
  const isThere = (workspace: string): boolean => queries.getApproval(id, { workspace }) !== undefined;
  return defined({ workspace: homeWithin(reachOf(c), named, isThere) });
}

/**
 * Finds the workspace of a rule.
 * @param named the workspace that the request itself names, if any. @throws RefusedError NOT_ALLOWED, WORKSPACE_NEEDED
 */
export function ruleHome(c: Context<Env>, queries: Queries, id: string, named?: string): Within {
  const isThere = (workspace: string): boolean => queries.rules.get(id, { workspace }) !== undefined;
  return defined({ workspace: homeWithin(reachOf(c), named, isThere) });
}

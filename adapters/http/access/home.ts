// Home
// The workspace in which a request means an approval or a rule, for whoever may ask about some workspaces only.
//
//   Owns:          looking for it in each.
//   Does not own:  what is refused (runtime/reach), the lookups themselves (runtime/reading).

import type { Context } from "hono";
import { defined } from "../../../machines/index.ts";
import { homeWithin } from "../../../runtime/reach.ts";
import type { Within } from "../../../runtime/reading/lookup.ts";
import type { Queries } from "../../../runtime/reading/queries.ts";
import { type Env, reachOf } from "../context.ts";

/** @param named in the request. @throws RefusedError NOT_ALLOWED, WORKSPACE_NEEDED */
export function approvalHome(c: Context<Env>, queries: Queries, id: string, named?: string): Within {
  const isThere = (workspace: string): boolean => queries.getApproval(id, { workspace }) !== undefined;
  return defined({ workspace: homeWithin(reachOf(c), named, isThere) });
}

/** @param named in the request. @throws RefusedError NOT_ALLOWED, WORKSPACE_NEEDED */
export function ruleHome(c: Context<Env>, queries: Queries, id: string, named?: string): Within {
  const isThere = (workspace: string): boolean => queries.rules.get(id, { workspace }) !== undefined;
  return defined({ workspace: homeWithin(reachOf(c), named, isThere) });
}

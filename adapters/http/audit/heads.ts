// Audit heads
// The route for the newest checkpoint of the audit log, which an auditor may keep elsewhere.
//
//   Owns:          the route, the form of its answer.
//   Does not own:  the log and its signatures (adapters/audit-log), the heads of other engines (peers).

import type { Hono } from "hono";
import { type Given, parametersOf } from "../../../runtime/reading/parameters.ts";
import type { AtPeer } from "../../../runtime/rows/views.ts";
import { answer, type Env, type Serving } from "../context.ts";

export interface Heads {
  /** Empty for an engine that keeps no log, or has signed nothing yet. */
  readonly items: readonly (AtPeer & {
    /** Name, size and root of the log, signed: a checkpoint in the form of c2sp.org/tlog-checkpoint. */
    readonly checkpoint: string;
  })[];
}

export function auditRoutes(app: Hono<Env>, serving: Serving): void {
  app.get("/v1/audit/heads", async (c) =>
    answer(c, 200, await ownHeads(serving, new URL(c.req.url).searchParams)),
  );
}

/** @throws RefusedError BAD_PARAMETER; the system's error. */
export async function ownHeads({ auditHead }: Serving, given: Given): Promise<Heads> {
  parametersOf(given, []);
  const checkpoint = await auditHead?.();
  return { items: checkpoint === undefined ? [] : [{ checkpoint }] };
}

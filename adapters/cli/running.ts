// Running
// Finds out whether an engine already runs on a data folder.
//
//   Owns:          asking the engine over the folder's socket; the engine's role among the engines on its journal.
//   Does not own:  keeping a second engine out (the store's lock does that): this check only reports earlier, and with the
//                  address.

import { z } from "zod";
import { textOf } from "../../runtime/line/exchange.ts";
import type { Folder } from "./wiring.ts";

const ANSWER_MS = 2_000;
const REFUSED = z.looseObject({ error: z.looseObject({ code: z.literal("NOT_READY") }) });

const STANDING = z.object({
  role: z.string().optional(),
  term: z.number().optional(),
  owner: z.string().optional(),
  lag: z.number().optional(),
  uncompared: z.number().optional(),
  spares: z.number().optional(),
});

/** An engine's role among the engines on its journal. */
export type Standing = z.infer<typeof STANDING>;

/** @param answer the answer of `/readyz`. @throws Error for any other. */
export const standingIn = (answer: unknown): Standing => STANDING.parse(answer);

/** @returns an empty object for an engine that is alone, or does not answer. */
export async function standingOn(folder: Folder): Promise<Standing> {
  try {
    const exchange = await folder.engine();
    const answer = await exchange?.({
      method: "GET",
      path: "/readyz",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return answer ? standingIn(JSON.parse(await textOf(answer))) : {};
  } catch {
    return {};
  }
}

/** @returns a sentence; empty for an engine that is alone. */
export function standingText({
  role,
  term = 0,
  owner,
  lag = 0,
  uncompared = 0,
  spares = 0,
}: Standing): string {
  if (role === undefined) return "";
  const standBy =
    spares === 0 ? "no spare stands by" : spares === 1 ? "a spare stands by" : `${spares} spares stand by`;
  if (role === "owner") return ` It is the owner of its journal (term ${term}), and ${standBy}.`;
  const whose = owner === undefined ? "no owner was heard of yet" : `the owner is at ${owner}`;
  const compared = uncompared === 0 ? "" : ` It still compares ${uncompared} changes with the owner's.`;
  return ` It stands by, ${lag} entries behind (term ${term}): ${whose}.${compared}`;
}

/** @returns the engine's address; undefined when no engine answers. */
export async function runningOn(folder: Folder): Promise<string | undefined> {
  try {
    const exchange = await folder.engine();
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await exchange?.({ method: "GET", path: "/v1/stats", signal });
    if (!answer) return undefined;
    const body: unknown = JSON.parse(await textOf(answer));
    const isThere = answer.status === 200 || REFUSED.safeParse(body).success;
    return isThere ? ((await folder.address()) ?? folder.dir) : undefined;
  } catch {
    return undefined;
  }
}

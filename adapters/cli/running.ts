// Running
// Finds out whether an engine already runs on a data folder.
//
//   Owns:          asking the engine through the folder's socket, or the program at an address; the engine's role among the
//                  engines that share its journal.
//   Does not own:  keeping a second engine out: the store's lock does that, but later, and it does not know the address of the
//                  engine that runs.

import { z } from "zod";
import { beginningOf, type EngineAnswer, textOf } from "../../runtime/line/exchange.ts";
import type { Folder } from "./wiring.ts";

const ANSWER_MS = 2_000;
/** The longest answer that is read, in bytes: the program at an address may be no engine, and may send without end. */
const ANSWER_BYTES_MAX = 64 * 1024;
const REFUSED = z.looseObject({ error: z.looseObject({ code: z.literal("NOT_READY") }) });

const STANDING = z.object({
  role: z.string().optional(),
  term: z.number().optional(),
  owner: z.string().optional(),
  lag: z.number().optional(),
  uncompared: z.number().optional(),
  spares: z.number().optional(),
});

export type Standing = z.infer<typeof STANDING>;

/** @param answer the answer of `/readyz`. @throws Error for any other answer. */
export const standingIn = (answer: unknown): Standing => STANDING.parse(answer);

async function askedOf(folder: Folder, path: string): Promise<EngineAnswer | undefined> {
  const exchange = await folder.engine();
  return exchange?.({ method: "GET", path, signal: AbortSignal.timeout(ANSWER_MS) });
}

/** @returns what the program at an address, which may be no engine, answers at `/readyz`. @throws Error if it answers no JSON. */
export async function readinessAt(url: string): Promise<unknown> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const { body } = await fetch(`${url}/readyz`, { signal, redirect: "error" });
  return JSON.parse((await beginningOf(body, ANSWER_BYTES_MAX)).toString("utf8"));
}

/** @returns the role of the folder's engine; an empty object for an engine that is alone, or does not answer. */
export async function standingOn(folder: Folder): Promise<Standing> {
  try {
    const answer = await askedOf(folder, "/readyz");
    return answer ? standingIn(JSON.parse(await textOf(answer))) : {};
  } catch {
    return {};
  }
}

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
    const answer = await askedOf(folder, "/v1/stats");
    if (!answer) return undefined;
    const body: unknown = JSON.parse(await textOf(answer));
    const isThere = answer.status === 200 || REFUSED.safeParse(body).success;
    return isThere ? ((await folder.address()) ?? folder.dir) : undefined;
  } catch {
    return undefined;
  }
}

// Running
// Whether an engine runs on a data folder already.
//
//   Owns:          how to find out: its engine answers by the folder's own way.
//   Does not own:  keeping a second one out (the store's lock): this only tells earlier, and where the first one is.

import { z } from "zod";
import { textOf } from "../../runtime/line/exchange.ts";
import type { Folder } from "./wiring.ts";

const ANSWER_MS = 2_000;
const REFUSED = z.looseObject({ error: z.looseObject({ code: z.literal("NOT_READY") }) });

/** @returns its address; undefined when none answers. */
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

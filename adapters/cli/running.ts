// Running
// Whether an engine runs on a data folder already.
//
//   Owns:          how that is found out: whoever answers where the folder's engine was last seen, and knows its token.
//   Does not own:  keeping a second one out (the store's lock): this only tells it earlier, and where the first one is.

import { z } from "zod";
import type { Folder } from "./wiring.ts";

const ANSWER_MS = 2_000;
const REFUSED = z.looseObject({ error: z.looseObject({ code: z.literal("NOT_READY") }) });

/** @returns its address; undefined where none answers, or one of another folder. */
export async function runningOn(folder: Folder): Promise<string | undefined> {
  const [url, token] = await Promise.all([folder.address(), folder.token()]);
  if (url === undefined || token === undefined || !URL.canParse(url)) return undefined;
  try {
    const response = await fetch(new URL("/v1/stats", url), {
      headers: { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const body: unknown = await response.json();
    // The token is looked at before all else: who says "not ready" knows it.
    const isOurs = response.ok || REFUSED.safeParse(body).success;
    return isOurs ? url : undefined;
  } catch {
    return undefined;
  }
}

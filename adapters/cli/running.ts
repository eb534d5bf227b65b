// Running
// Whether an engine runs on a data folder already.
//
//   Owns:          how to find out: something answers where the folder's engine last listened, and knows its token.
//   Does not own:  keeping a second one out (the store's lock): this only tells earlier, and where the first one is.

import { z } from "zod";
import type { Folder } from "./wiring.ts";

const ANSWER_MS = 2_000;
const REFUSED = z.looseObject({ error: z.looseObject({ code: z.literal("NOT_READY") }) });

/** @returns its address; undefined when nothing answers, or another folder's engine does. */
export async function runningOn(folder: Folder): Promise<string | undefined> {
  const [url, token] = await Promise.all([folder.address(), folder.token()]);
  if (url === undefined || token === undefined || !URL.canParse(url)) return undefined;
  try {
    const response = await fetch(new URL("/v1/stats", url), {
      headers: { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const body: unknown = await response.json();
    // The engine checks the token first: if it says "not ready", it knows the token.
    const isOurs = response.ok || REFUSED.safeParse(body).success;
    return isOurs ? url : undefined;
  } catch {
    return undefined;
  }
}

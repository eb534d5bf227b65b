// Engine of
// Where the engine of a data folder listens, and the token to talk to it, for those who wait at its gate.
//
//   Owns:          reading both.
//   Does not own:  the files (data-folder), who waits (gate).

import { join } from "node:path";
import { readOwn } from "./data-folder/own-file.ts";
import type { Where } from "./gate/line.ts";

/** Reads the folder at each call. */
export function engineOf(data: string): Where {
  return async () => {
    const [url, token] = await Promise.all([
      readOwn(join(data, "address")),
      readOwn(join(data, "token"), true),
    ]);
    if (!url || !token || !URL.canParse(url.trim())) return undefined;
    return { url: url.trim(), token: token.trim() };
  };
}

// Services
// What the engine serves over NATS: queries and decisions.
//
//   Owns:          starting and stopping both.
//   Does not own:  either (query, decide).

import type { Door } from "../../../runtime/door/door.ts";
import { serveDecisions } from "./decide.ts";
import { type QueryServing, serveQueries, type Stoppable } from "./query.ts";

export interface ServeNatsOptions extends QueryServing {
  readonly door: Door;
}

/**
 * Starts serving over a connection that is up, until `stop`; the engine need not have started.
 * If the connection is lost meanwhile, serving starts when it is back. @throws the client's error when it is closed.
 */
export async function serveNats(options: ServeNatsOptions): Promise<Stoppable> {
  const served = await Promise.all([serveQueries(options), serveDecisions(options)]);
  return {
    async stop() {
      await Promise.all(served.map((each) => each.stop()));
    },
  };
}

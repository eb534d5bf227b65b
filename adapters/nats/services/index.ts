// Services
// What the engine serves over NATS: queries and decisions.
//
//   Owns:          starting and stopping both.
//   Does not own:  what the services do (query, decide).

import type { Door } from "../../../runtime/door/door.ts";
import { serveDecisions } from "./decide.ts";
import { type QueryServing, serveQueries, type Stoppable } from "./query.ts";

export interface ServeNatsOptions extends QueryServing {
  readonly door: Door;
}

/**
 * Starts serving over a connected connection, until `stop`; the engine need not have started. After a lost connection, serving
 * starts when it is back. @throws the client's error if the connection is closed.
 */
export async function serveNats(options: ServeNatsOptions): Promise<Stoppable> {
  const served = await Promise.all([serveQueries(options), serveDecisions(options)]);
  return {
    async stop() {
      await Promise.all(served.map((each) => each.stop()));
    },
  };
}

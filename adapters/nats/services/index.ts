// Services
// What the engine serves over NATS: queries and decisions.
//
//   Owns:          starting and stopping the services for queries and for decisions.
//   Does not own:  what each service does (query, decide).

import type { Door } from "../../../runtime/door/door.ts";
import { serveDecisions } from "./decide.ts";
import { type QueryServing, serveQueries, type Stoppable } from "./query.ts";

export interface ServeNatsOptions extends QueryServing {
  readonly door: Door;
}

/** Serves queries and decisions, even before the engine has started. @throws the client's error if the connection is closed. */
export async function serveNats(options: ServeNatsOptions): Promise<Stoppable> {
  const served = await Promise.all([serveQueries(options), serveDecisions(options)]);
  return {
    async stop() {
      await Promise.all(served.map((each) => each.stop()));
    },
  };
}

// Full load
// A process of its own: fifty sessions that make one call after another, on LMDB, until it is killed.
//
//   Owns:          the load; saying on stdout that it goes on.
//   Does not own:  the kill, what a start finds afterwards (rows/killed).

import { lmdbEngine } from "./scratch.ts";
import { post, pre, prompt, sessionId } from "./workload.ts";

const SESSIONS = 50;

const { engine } = await lmdbEngine(process.argv[2]);
const numbers = Array.from({ length: SESSIONS }, (_, n) => n);
await Promise.all(numbers.map(async (n) => (await engine.submit(prompt(sessionId(n)))).settled));
console.log("loaded");
await Promise.all(
  numbers.map(async (session) => {
    const id = sessionId(session);
    for (let n = 0; ; n += 1)
      for (const message of [pre(id, n), post(id, n)]) await (await engine.submit(message)).settled;
  }),
);

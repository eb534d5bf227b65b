// Load
// Sessions that make one call after the other, and send each of its requests once the one before was answered.
//
//   Owns:          one connection a session, the ids, the rate, how long each request took.
//   Does not own:  the bodies (four-requests), who answers.

import { Connection } from "./connection.ts";
import { type StepName, stepsOf } from "./four-requests.ts";

/** Where the requests go. */
export interface Place {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** @param id the call's. */
  readonly pathOf: (step: StepName, id: string) => string;
}

export interface Loaded {
  readonly callsPerSecond: number;
  /** Each request's, ms. */
  readonly tookMs: readonly number[];
}

let runs = 0;

/** @throws Error when a request is not answered with 200. */
export async function load(place: Place, sessions: number, calls: number): Promise<Loaded> {
  runs += 1;
  const mark = `${process.pid}-${runs}`;
  const url = new URL(place.url);
  const connections = await Promise.all(
    Array.from({ length: sessions }, () => Connection.open(url, place.headers ?? {})),
  );
  const tookMs: number[] = [];
  const play = async (connection: Connection, session: number): Promise<void> => {
    for (let n = 0; n < calls; n += 1) {
      const id = `call-${mark}-${session}-${n}`;
      for (const { step, body } of stepsOf(`session-${mark}-${session}`, id)) {
        const from = performance.now();
        const answer = await connection.post(place.pathOf(step, id), body);
        tookMs.push(performance.now() - from);
        if (answer.status !== 200)
          throw new Error(`${step} of ${id} was answered with ${answer.status}: ${answer.body}`);
      }
    }
  };
  const start = performance.now();
  try {
    await Promise.all(connections.map(play));
    return { callsPerSecond: (sessions * calls * 1000) / (performance.now() - start), tookMs };
  } finally {
    for (const connection of connections) connection.close();
  }
}

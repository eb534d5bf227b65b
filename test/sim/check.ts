// Check
// How near the simulation is to what was measured on one engine and on two.
//
//   Owns:          the same situations in the simulation.
//   Does not own:  the measurements (bench, chaos:cluster).

import { Chance } from "../chaos/chance.ts";
import { Agenda } from "./agenda.ts";
import { takeOver } from "./chances.ts";
import type { Given } from "./figures.ts";
import { quantile } from "./quantile.ts";
import { Worker } from "./worker.ts";

export interface Checked {
  readonly what: string;
  readonly unit: string;
  readonly simulated: number;
  readonly measured: number;
  readonly from: string;
}

export function checked(given: Given, seed: number): readonly Checked[] {
  const chance = new Chance(seed);
  const taken = Array.from({ length: 1_000 }, () => takeOver(chance, given) / 1_000);
  const [fifty, one] = [closed(50, given), closed(1, given)];
  return [
    {
      ...{ what: "one engine: calls of four requests over HTTP, 50 sessions", unit: "calls/s" },
      ...{ simulated: fifty.rate / 4, measured: 465, from: "npm run bench -- --only http" },
    },
    {
      ...{ what: "one engine: a request over HTTP, one session, p50", unit: "ms" },
      ...{ simulated: one.answer, measured: 1.29, from: "npm run bench -- --only http" },
    },
    {
      ...{ what: "two engines: the owner killed, until the other is ready, p50", unit: "s" },
      ...{ simulated: quantile(taken, 0.5), measured: 3.5, from: "npm run chaos:cluster" },
    },
  ];
}

/** Sessions that each send their next request once the one before is answered, for ten seconds. */
function closed(sessions: number, given: Given): { readonly rate: number; readonly answer: number } {
  const [agenda, engine, answers] = [new Agenda(), new Worker(), [] as number[]];
  const seconds = 10;
  const send = (at: number): void => {
    const done = engine.give(at, given.httpMessage / 1_000) + given.commit / 1_000;
    agenda.enter(done, () => {
      answers.push(done - at);
      send(done);
    });
  };
  for (let n = 0; n < sessions; n += 1) send(0);
  agenda.run(seconds * 1_000);
  return { rate: answers.length / seconds, answer: quantile(answers, 0.5) };
}

// Rounds: a few rounds of the chaos of a cluster, on one server, which may be an older one.
//
// `npm run chaos:cluster` plays more of them, on three servers.

import { expect, it } from "vitest";
import { build } from "../../support/processes/program.ts";
import { Chance } from "../chance.ts";
import { Tally } from "../tally.ts";
import { Machines } from "./machines.ts";
import { chaos } from "./outcome.ts";

const SEED = Number(process.env["CHAOS_SEED"] ?? Date.now() % 2 ** 31);
const ROUNDS = 4;

it(`CLUSTER-TERM-1, CLUSTER-SAYS-1, CLUSTER-SPARE-4: nothing is lost, doubled or allowed without a cause while engines and server are struck (CHAOS_SEED=${SEED})`, async () => {
  await build();
  const machines = await Machines.make(1);
  try {
    const setting = { machines, chance: new Chance(SEED), tally: new Tally(), only: "", away: [] };
    const { found, wrong } = await chaos(ROUNDS, setting, SEED);
    expect([found, wrong]).toEqual([[], []]);
    expect(setting.tally.calls.length).toBeGreaterThanOrEqual(ROUNDS);
  } finally {
    await machines.end();
  }
}, 600_000);

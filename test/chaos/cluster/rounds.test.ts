// Rounds: a few rounds of the chaos of a cluster, on one server, which may be an older one.
//
// `npm run chaos:cluster` plays more of them, on three servers, or with more partitions.

import { expect, it } from "vitest";
import { build } from "../../support/processes/program.ts";
import { Chance } from "../chance.ts";
import { Tally } from "../tally.ts";
import { struckNodes } from "../nodes/struck.ts";
import { chaos } from "./outcome.ts";
import { struckMachines } from "./struck.ts";

const SEED = Number(process.env["CHAOS_SEED"] ?? Date.now() % 2 ** 31);

it.each([
  ["engines and server", 4, () => struckMachines(1)],
  ["nodes with two partitions", 2, () => struckNodes(2)],
] as const)(
  `CLUSTER-TERM-1, CLUSTER-SAYS-1, CLUSTER-SPARE-4: nothing is lost, doubled or allowed without a cause while %s are struck (CHAOS_SEED=${SEED})`,
  async (_, rounds, make) => {
    await build();
    const struck = await make();
    try {
      const setting = { struck, chance: new Chance(SEED), tally: new Tally(), only: "", away: [] };
      const { found, wrong } = await chaos(rounds, setting, SEED);
      expect([found, wrong]).toEqual([[], []]);
      expect(setting.tally.calls.length).toBeGreaterThanOrEqual(rounds);
    } finally {
      await struck.end();
    }
  },
  600_000,
);

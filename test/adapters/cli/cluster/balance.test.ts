// Balance
// When a node gives a partition back, whatever it sees and whenever it looks.

import fc from "fast-check";
import { expect, test } from "vitest";
import { Balance } from "../../../../adapters/cli/cluster/balance.ts";
import { holds } from "../../../support/properties/property.ts";

const FILE = "test/adapters/cli/cluster/balance.test.ts";

const looks = fc.array(fc.record({ afterMs: fc.integer({ min: 1, max: 20_000 }), mayGo: fc.boolean() }), {
  maxLength: 200,
});

/** The times at which it hands over, and since when the spare had been close behind, ms. */
function played(all: readonly { readonly afterMs: number; readonly mayGo: boolean }[]) {
  const balance = new Balance();
  const given: { readonly at: number; readonly since: number }[] = [];
  let [now, since] = [0, 0];
  let wasClose = false;
  for (const { afterMs, mayGo } of all) {
    now += afterMs;
    if (mayGo && !wasClose) since = now;
    wasClose = mayGo;
    if (balance.isDue(3, mayGo, now)) given.push({ at: now, since });
  }
  return given;
}

test("CLI-CLUSTER-BALANCE-1: a partition is given back only once its node's spare has been close behind for 15 s without a break", () => {
  holds(FILE, 300, looks, (all) => {
    for (const { at, since } of played(all)) expect(at - since).toBeGreaterThanOrEqual(15_000);
  });
  const steady = Array.from({ length: 9 }, () => ({ afterMs: 2_000, mayGo: true }));
  expect(played(steady).map(({ at }) => at)).toEqual([18_000]);
});

test("CLI-CLUSTER-BALANCE-2: a partition that was given back is left alone for two minutes, so it never flaps", () => {
  holds(FILE, 300, looks, (all) => {
    const times = played(all).map(({ at }) => at);
    for (const [n, at] of times.slice(1).entries())
      expect(at - (times[n] ?? 0)).toBeGreaterThanOrEqual(120_000);
  });
});

test("CLI-CLUSTER-BALANCE-1: one partition does not wait for another", () => {
  const balance = new Balance();
  for (const now of [0, 5_000, 10_000]) balance.isDue(1, true, now);
  balance.isDue(2, false, 10_000);
  expect([balance.isDue(1, true, 15_000), balance.isDue(2, true, 15_000)]).toEqual([true, false]);
});

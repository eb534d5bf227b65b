// Leases
// When a gate is taken to be gone: what shows that it is, and what does not.

import { beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { Leases } from "../../../runtime/gate/leases.ts";
import { LEASE_MS } from "../../../runtime/gate/times.ts";

let clock: ManualClock;
let gone: string[];
let leases: Leases;
beforeEach(() => {
  clock = new ManualClock();
  gone = [];
  leases = new Leases(clock, (id) => gone.push(id));
});
/** Step by step, as time goes by in an engine that runs. */
const pass = (ms: number): void => {
  for (let n = 0; n < ms; n += 50) clock.advance(50);
};

describe("LEASES-3: a gate", () => {
  it("LEASES-3: that says that it leaves is gone at once, and once", () => {
    const end = leases.hold("g1", LEASE_MS.client);
    leases.leave("g1");
    end(true);
    pass(60_000);
    expect(gone).toEqual(["g1"]);
  });

  it("LEASES-3: that hung up is gone within a second, unless it came back", () => {
    leases.hold("g1", LEASE_MS.client)(true);
    leases.hold("g2", LEASE_MS.client)(true);
    pass(500);
    leases.hold("g2", LEASE_MS.client);
    pass(500);
    expect(gone).toEqual(["g1"]);
  });

  it("LEASES-1: that was told to ask again is not gone for standing still a while", () => {
    leases.hold("g1", LEASE_MS.client)(false);
    pass(5_000);
    expect(gone).toEqual([]);
    pass(10_000);
    expect(gone).toEqual(["g1"]);
  });

  it("LEASES-3: beside which another one waits for the same approval takes nobody away", () => {
    leases.hold("g1", LEASE_MS.client);
    leases.hold("g1", LEASE_MS.client);
    leases.leave("g1");
    leases.leave("of nobody");
    expect(gone).toEqual([]);
  });

  it("LEASES-4: that came back while the engine stood still is heard before it is taken to be gone", () => {
    leases.hold("g1", LEASE_MS.client)(true);
    // Its first timer is overdue, and fires before anything is read.
    clock.advance(750);
    leases.hold("g1", LEASE_MS.client);
    pass(60_000);
    expect(gone).toEqual([]);
  });

  it("LEASES-1: that asks again and again is there as long as it does, and gone once it has not for its time", () => {
    for (let n = 0; n < 5; n += 1) {
      leases.renew("g1", LEASE_MS.service.asked);
      pass(14_000);
    }
    expect(gone).toEqual([]);
    pass(2_000);
    expect(gone).toEqual(["g1"]);
  });
});

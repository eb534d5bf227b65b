// Presence
// When a gate is taken to be gone: what shows that it is, and what does not.

import { beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../../adapters/memory/index.ts";
import { Presence } from "../../../runtime/gate/presence.ts";

let clock: ManualClock;
let gone: string[];
let presence: Presence;
beforeEach(() => {
  clock = new ManualClock();
  gone = [];
  presence = new Presence(clock, (id) => gone.push(id));
});
/** Step by step, as time goes by in an engine that runs. */
const pass = (ms: number): void => {
  for (let n = 0; n < ms; n += 50) clock.advance(50);
};

describe("GATE-PRESENCE-3: a gate", () => {
  it("GATE-PRESENCE-3: that says that it leaves is gone at once, and once", () => {
    const end = presence.enter("g1");
    presence.leave("g1");
    end(true);
    pass(60_000);
    expect(gone).toEqual(["g1"]);
  });

  it("GATE-PRESENCE-3: that hung up is gone within a second, unless it came back", () => {
    presence.enter("g1")(true);
    presence.enter("g2")(true);
    pass(500);
    presence.enter("g2");
    pass(500);
    expect(gone).toEqual(["g1"]);
  });

  it("GATE-PRESENCE-1: that was told to ask again is not gone for standing still a while", () => {
    presence.enter("g1")(false);
    pass(5_000);
    expect(gone).toEqual([]);
    pass(10_000);
    expect(gone).toEqual(["g1"]);
  });

  it("GATE-PRESENCE-3: beside which another one waits for the same approval takes nobody away", () => {
    presence.enter("g1");
    presence.enter("g1");
    presence.leave("g1");
    presence.leave("of nobody");
    expect(gone).toEqual([]);
  });

  it("GATE-PRESENCE-4: that came back while the engine stood still is heard before it is taken to be gone", () => {
    presence.enter("g1")(true);
    // Its first timer is overdue, and fires before anything is read.
    clock.advance(750);
    presence.enter("g1");
    pass(60_000);
    expect(gone).toEqual([]);
  });
});

// Times
// How the times of the engine and of those who ask it hang together.

import { describe, expect, it } from "vitest";
import { ASKER_MS, GATE_MS, LEASE_MS } from "../../../runtime/gate/times.ts";

describe("the times around the gate", () => {
  it("TIMES-1: an asker asks again before its lease ends, whatever it did last", () => {
    const { client, restart } = LEASE_MS;
    const pause = Math.max(...ASKER_MS.again);
    expect(pause).toBeLessThan(client.hungUp);
    for (const ms of [client.asked, client.waited, restart]) expect(ms).toBeGreaterThan(client.hungUp);
  });

  it("TIMES-2: the engine says that there is no answer yet before the asker takes it to stand still", () => {
    expect(ASKER_MS.poll).toBeLessThanOrEqual(GATE_MS.answer);
    expect(GATE_MS.answer).toBeLessThan(ASKER_MS.poll + ASKER_MS.silent);
    expect(GATE_MS.earlier + GATE_MS.told).toBeLessThan(ASKER_MS.acknowledged);
  });
});

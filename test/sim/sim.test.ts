// Simulation of many nodes: it repeats itself by its seed, loses no call, and agrees with what is known in closed form.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Chance } from "../chaos/chance.ts";
import { Agenda } from "./agenda.ts";
import { awayOf, YEAR_MS } from "./away.ts";
import { waits } from "./chances.ts";
import { checked } from "./check.ts";
import { ASSUMED, FIXED, GIVEN, MEASURED } from "./figures.ts";
import { Load } from "./load.ts";
import { outcomeOf, tableOf } from "./outcome.ts";
import { Worker } from "./worker.ts";

const SHAPE = { nodes: 9, spares: 1, seed: 7, seconds: 5, hasFaults: false };
const SMALL = { ...GIVEN, calls: 200, people: 300 };

describe("the simulation of many nodes", () => {
  test("Sim: a seed gives the same outcome again, and another seed another one", () => {
    const first = outcomeOf(SHAPE, SMALL);
    expect(outcomeOf(SHAPE, SMALL)).toEqual(first);
    expect(outcomeOf({ ...SHAPE, seed: 8 }, SMALL)).not.toEqual(first);
  });

  test("Sim: each call that has come is answered at the end, or waits, with any number of nodes, spares and faults", () => {
    const shapes = fc.record({
      nodes: fc.integer({ min: 1, max: 40 }),
      spares: fc.integer({ min: 0, max: 2 }),
      seed: fc.integer(),
      seconds: fc.integer({ min: 1, max: 4 }),
      hasFaults: fc.boolean(),
    });
    fc.assert(
      fc.property(shapes, fc.integer({ min: 10, max: 2_000 }), (shape, calls) => {
        const { calls: all, owners } = new Load(shape, { ...SMALL, calls }).run();
        expect(all.answered + all.waiting).toBe(all.come);
        expect(all.waiting).toBeGreaterThanOrEqual(0);
        expect(Math.min(...owners)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 30 },
    );
  });

  test("Sim: without waiting for people or runs, all but the last calls are answered", () => {
    const { calls } = new Load(SHAPE, { ...SMALL, runs: 1, answered: 1 }).run();
    expect(calls.waiting / calls.come).toBeLessThan(0.02);
  });

  test.each([0.3, 0.6, 0.9])("Sim: one owner at %d of its speed waits as M/D/1 says", (load) => {
    const [chance, worker, ms] = [new Chance(3), new Worker(), 1];
    let [at, waited] = [0, 0];
    const count = 400_000;
    for (let n = 0; n < count; n += 1) {
      at += waits(chance, ms / load);
      waited += worker.give(at, ms) - at - ms;
    }
    const expected = (load * ms) / (2 * (1 - load));
    expect(Math.abs(waited / count / expected - 1)).toBeLessThan(0.1);
  });

  test("Sim: more calls are never applied sooner, and more nodes give no owner more work", () => {
    const work = (nodes: number, calls: number): number =>
      outcomeOf({ ...SHAPE, nodes }, { ...SMALL, calls }).owners[0];
    expect(work(9, 400)).toBeGreaterThan(work(9, 200));
    expect(work(33, 400)).toBeLessThan(work(9, 400));
    const p99 = (calls: number): number => outcomeOf({ ...SHAPE, nodes: 2 }, { ...SMALL, calls }).answers[1];
    expect(p99(1_400)).toBeGreaterThan(p99(200));
  });

  test("Sim: a spare shortens the time without an owner; a take-over costs its time each; nodes that never die cost nothing", () => {
    const mean = (spares: number, given = GIVEN): number =>
      awayOf(200, spares, given, 5).reduce((sum, each) => sum + each, 0) / 200;
    const calm = { ...GIVEN, serverDeaths: 1e-9, upgrades: 0 };
    expect(mean(1, { ...calm, deaths: 1e-9 })).toBe(0);
    const each = calm.silence + calm.ask / 2;
    expect(Math.abs(mean(1, calm) / (calm.deaths * each) - 1)).toBeLessThan(0.1);
    expect(mean(0, calm)).toBeGreaterThan(20 * mean(1, calm));
    expect(mean(2, calm)).toBeLessThan(YEAR_MS / 1_000);
  });

  test("Sim: everything happens once, in the order of its time, and of its entry at one time", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (times) => {
        const [agenda, seen] = [new Agenda(), [] as (readonly [number, number])[]];
        for (const [n, at] of times.entries()) agenda.enter(at, () => seen.push([at, n]));
        agenda.run(10);
        const sorted = times.map((at, n) => [at, n] as const).toSorted(([a], [b]) => a - b);
        expect(seen).toEqual(sorted);
      }),
    );
  });

  test("Sim: it does one thing at a time, nothing in a gap, and what a gap interrupts anew behind it", () => {
    const worker = new Worker([[10, 20]]);
    expect([worker.give(0, 4), worker.give(1, 4), worker.give(2, 4), worker.give(30, 1)]).toEqual([
      4, 8, 24, 31,
    ]);
    expect(worker.busy).toBe(13);
  });

  test("Sim: each figure has a unit and says where it is from; a table has a column for each number of nodes", () => {
    for (const { from, unit } of Object.values({ ...MEASURED, ...FIXED, ...ASSUMED }))
      expect([from.length > 5, unit]).toEqual([true, expect.stringMatching(/./)]);
    expect(checked(GIVEN, 1).every(({ simulated }) => simulated > 0)).toBe(true);
    expect(tableOf([outcomeOf(SHAPE, SMALL)])).toContain("9 nodes");
  });
});

// Hold: a spare behind its owner, for any order in which entries come and the owner goes on.

import { setImmediate as nextTick } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryDisk, MemoryJournal } from "../../../adapters/memory/index.ts";
import { Hold } from "../../../runtime/cluster/hold.ts";
import type { TermBegun } from "../../../runtime/cluster/term.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { holdsLater } from "../../support/properties/property.ts";

const FILE = "test/runtime/cluster/hold.test.ts";

const term = (n: number, poison: readonly number[]): string => {
  const said: TermBegun = { type: "term.begun", term: n, start: `s${n}`, node: "", build: "", poison };
  return JSON.stringify({ door: "own", workspace: "signalbox", session: "engine", said });
};

async function held(bodies: readonly string[] = []) {
  const journal = new MemoryJournal(new MemoryDisk("journal"), new ManualClock());
  await journal.open(undefined);
  if (bodies.length > 0) await journal.append(bodies);
  const [hold, gone, applied] = [new Hold(), new AbortController(), [] as number[]];
  const seen = { early: 0 };
  hold.onEarly(() => (seen.early += 1));
  const reader = hold.reading(journal, () => ({}));
  const run = async (limit: number): Promise<void> => {
    while (!gone.signal.aborted)
      for (const { position } of await reader.read(applied.length, limit, gone.signal)) {
        applied.push(position);
        await nextTick();
      }
  };
  return { journal, hold, gone, applied, run, seen };
}

const step = fc.oneof(
  fc.record({ does: fc.constant("come" as const), n: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ does: fc.constant("owner" as const), n: fc.integer({ min: 0, max: 6 }) }),
);

test("CLUSTER-HOLD-1: a spare applies each entry once, in order, and none before the owner has; all without an owner", () =>
  holdsLater(
    FILE,
    100,
    fc.tuple(fc.array(step, { maxLength: 20, size: "max" }), fc.integer({ min: 1, max: 4 })),
    async ([steps, limit]) => {
      const { journal, hold, gone, applied, run } = await held();
      const running = run(limit);
      let owner = 0;
      for (const { does, n } of steps) {
        if (does === "come") await journal.append(Array.from({ length: n }, () => "{}"));
        else hold.allow((owner = Math.min(journal.tail(), owner + n)));
        for (let turns = 0; turns < 20; turns += 1) await nextTick();
        expect(applied).toEqual(Array.from({ length: owner }, (_, at) => at + 1));
      }
      hold.allow(Infinity);
      for (let turns = 0; turns < 200; turns += 1) await nextTick();
      expect(applied).toEqual(Array.from({ length: journal.tail() }, (_, at) => at + 1));
      gone.abort();
      await running;
    },
  ));

test("CLUSTER-HOLD-1: an entry that came before the owner has it calls for a question; an end is known once an owner is, or none", async () => {
  const { journal, hold, gone, run, seen } = await held(["{}", "{}"]);
  const end = hold.until(2, gone.signal);
  const running = run(10);
  for (let turns = 0; turns < 20; turns += 1) await nextTick();
  expect(seen.early).toBe(1);
  hold.allow(1);
  expect(await end).toBe(1);
  for (let turns = 0; turns < 20; turns += 1) await nextTick();
  expect(seen.early).toBe(2);
  hold.allow(2);
  await journal.append(["{}"]);
  expect(await hold.until(3, gone.signal)).toBe(2);
  hold.allow(Infinity);
  expect(await hold.until(3, gone.signal)).toBe(3);
  gone.abort();
  await running;
});

test("CLUSTER-HOLD-3, CLUSTER-TERM-2: without an owner it looks ahead first: what the terms that count name is poison before it is read", async () => {
  const bodies = ["{}", "{}", "{}", term(1, [2]), "{}", term(1, [3]), term(2, [2, 5]), "{}"];
  const { hold, gone, applied, run } = await held(bodies);
  hold.name([1]);
  hold.allow(Infinity);
  const at: boolean[] = [];
  const running = run(2);
  while (applied.length < bodies.length) {
    await nextTick();
    at[applied.length] ??= hold.isPoison(2);
  }
  expect(at.filter((known) => !known)).toEqual([]);
  expect(bodies.flatMap((_, n) => (hold.isPoison(n + 1) ? [n + 1] : []))).toEqual([1, 2, 5]);
  gone.abort();
  await running;
});

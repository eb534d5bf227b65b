// Terms: three replicas in random histories, with deaths, late words and terms that are said twice.

import fc from "fast-check";
import { expect, test } from "vitest";
import { isStale } from "../../../runtime/cluster/says.ts";
import { begun, ended } from "../../../runtime/cluster/term.ts";
import { holds } from "../../support/properties/property.ts";
import { ownedIn } from "../../support/cluster/owned.ts";
import { type Node, play, type Step } from "../../support/cluster/replicas.ts";

const FILE = "test/runtime/cluster/term.test.ts";
const RUNS = 5_000;
const NODES = 3;

const node = fc.integer({ min: 0, max: NODES - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      node,
      does: fc.constant("read" as const),
      entries: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ node, does: fc.constant("say" as const), late: fc.integer({ min: 0, max: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ node, does: fc.constant("silence" as const), late: fc.nat(2) }),
  },
  { weight: 1, arbitrary: fc.record({ node, does: fc.constant("decide" as const) }) },
  { weight: 1, arbitrary: fc.record({ node, does: fc.constant("die" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      node,
      does: fc.constant("ask" as const),
      of: fc.nat(NODES),
      entries: fc.constant(4),
    }),
  },
);
const rowsOf = ({ effects }: Node): readonly number[] =>
  effects.flatMap((effect, index) => (effect === "done" ? [index + 1] : []));
const history = fc.array(step, { minLength: 1, maxLength: 60, size: "max" });

test("CLUSTER-TERM-1: every replica knows the same owner: the first that said each number in turn", () => {
  holds(FILE, RUNS, history, (steps) => {
    const { log, nodes } = play(NODES, steps);
    const { term, ownerAt } = ownedIn(log);
    for (const { known } of nodes) {
      expect(known.term?.n ?? 0).toBe(term);
      expect(known.term?.start).toBe(ownerAt.at(-1));
    }
  });
});

test("CLUSTER-SAYS-1: what a start says after its term has no effect on any replica, and is counted: all have the same rows", () => {
  holds(FILE, RUNS, history, (steps) => {
    const { log, nodes } = play(NODES, steps);
    const { rows, stale, ownerAt } = ownedIn(log);
    for (const each of nodes) expect([rowsOf(each), each.known.stale ?? 0]).toEqual([rows, stale]);
    for (const position of rows) {
      const said = log[position - 1];
      if (said?.type === "timer.fired") expect(said.start).toBe(ownerAt[position - 1]);
    }
  });
});

test("CLUSTER-ROLE-1: a start takes itself for the owner only once it has read its own term as the newest", () => {
  holds(FILE, RUNS, history, (steps) => {
    const { log, acted } = play(NODES, steps);
    const { ownerAt } = ownedIn(log);
    for (const { start, read } of acted) expect(ownerAt[read - 1]).toBe(start);
  });
});

test("CLUSTER-SAYS-2: what people say counts in every term", () => {
  holds(FILE, RUNS, history, (steps) => {
    const { log, nodes } = play(NODES, steps);
    const decided = log.flatMap(({ type }, index) => (type === "decision" ? [index + 1] : []));
    for (const each of nodes)
      expect(decided.filter((position) => !rowsOf(each).includes(position))).toEqual([]);
  });
});

test("CLUSTER-SAYS-3: without any term, what is said without one counts", () => {
  expect(isStale({}, { said: { type: "tallied" } })).toBe(false);
  expect(isStale({}, { said: { type: "tallied" }, term: 1 })).toBe(true);
});

test("CLUSTER-TERM-3: behind an end, a term counts only if its engine has read that end", () => {
  const first = begun({}, { type: "term.begun", term: 1, start: "a", node: "", build: "1", mayEnd: true });
  expect(first).toBeDefined();
  const over = ended(first ?? {}, { type: "term.ended", waitMs: 0 }, 7);
  const next = { type: "term.begun", term: 2, start: "b", node: "", build: "1" } as const;
  expect([begun(over ?? {}, next), begun(over ?? {}, { ...next, behind: 6 })]).toEqual([
    undefined,
    undefined,
  ]);
  expect(begun(over ?? {}, { ...next, behind: 7 })).toMatchObject({ term: { n: 2, start: "b" } });
  expect(begun(first ?? {}, { ...next, behind: 7 })).toBeUndefined();
  expect(ended(over ?? {}, { type: "term.ended", waitMs: 0 }, 8)).toBeUndefined();
});

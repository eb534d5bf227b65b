// Replicas: three nodes in random histories of all that can happen to them; the whole journal says what must come of it.
//
// `npm run sim` tries a million histories of each claim.

import fc from "fast-check";
import { expect, test } from "vitest";
import { effectsOf, ownedIn } from "../../support/cluster/owned.ts";
import { Cluster, type Node, play, type Step } from "../../support/cluster/replicas.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/runtime/cluster/replicas.test.ts";
const RUNS = 5_000;
const NODES = 3;

const node = fc.integer({ min: 0, max: NODES - 1 });
const late = fc.integer({ min: 0, max: 5 });
const entries = fc.integer({ min: 1, max: 12 });
/** One owns the journal, and the others have heard of it. */
const BEGUN: readonly Step[] = [
  { node: 0, does: "silence", late: 0 },
  { node: 0, does: "read", entries: 1 },
  { node: 1, does: "ask", of: 0, entries: 1 },
  { node: 2, does: "ask", of: 0, entries: 1 },
];
const alone = (...does: readonly ("decide" | "deadly" | "damage" | "die")[]) =>
  fc.record({ node, does: fc.constantFrom(...does) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ node, does: fc.constant("ask" as const), of: fc.nat(2), entries }) },
  {
    weight: 8,
    arbitrary: fc.record({
      node,
      does: fc.constant("read" as const),
      entries,
    }),
  },
  { weight: 3, arbitrary: fc.record({ node, does: fc.constant("say" as const), late }) },
  { weight: 3, arbitrary: fc.record({ node, does: fc.constant("trim" as const), late }) },
  { weight: 4, arbitrary: fc.record({ node, does: fc.constant("silence" as const), late: fc.nat(2) }) },
  { weight: 2, arbitrary: alone("decide") },
  { weight: 2, arbitrary: alone("die", "deadly") },
  {
    weight: 1,
    arbitrary: fc.record({
      node,
      does: fc.constant("wipe" as const),
      from: fc.option(node, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: alone("damage") },
);
const history = fc.array(step, { minLength: 1, maxLength: 80, size: "max" });

const claim = (title: string, must: (played: Cluster) => void): void =>
  test(title, () => holds(FILE, RUNS, history, (steps) => must(play(NODES, [...BEGUN, ...steps]))));

claim(
  "CLUSTER-TERM-1, CLUSTER-SAYS-1: whatever a node has read led to the same on it, but for rows that went bad",
  ({ log, nodes }) => {
    const expected = effectsOf(log);
    for (const { effects, read } of nodes) {
      const told = effects.map((effect, index) => (effect === "bad" ? expected[index] : effect));
      expect(told).toEqual(expected.slice(0, read));
    }
  },
);

claim(
  "CLUSTER-ROLE-1: a start takes itself for the owner only once it has read its own term as the newest",
  ({ log, acted }) => {
    const { ownerAt } = ownedIn(log);
    for (const { start, read } of acted) expect(ownerAt[read - 1]).toBe(start);
  },
);

claim("CLUSTER-ROLE-4: a node whose history differs owns no journal any more", ({ nodes, differing }) => {
  for (const { name, role } of nodes) if (differing.has(name)) expect(["fenced", "absent"]).toContain(role);
});

claim(
  "CLUSTER-HOLD-1, CLUSTER-HOLD-2: no node dies at an entry while an owner holds it back, or after the entry was named to it",
  ({ deaths }) => {
    for (const death of deaths) expect(death).toEqual({ isHeld: false, isNamed: false });
  },
);

claim(
  "CLUSTER-SPARES-4: whatever is trimmed another disk holds, or has held two seconds before",
  ({ trims }) => {
    for (const { upTo, elsewhere } of trims) expect(upTo).toBeLessThanOrEqual(elsewhere);
  },
);

test("WAITING-2, CLUSTER-FRESH-1, CLUSTER-FRESH-2: what one node has told, each node that answers later has read", () => {
  holds(FILE, RUNS, history, (steps) => {
    const cluster = new Cluster(NODES);
    let told = 0;
    for (const step of [...BEGUN, ...steps]) {
      cluster.play(step);
      for (const each of answering(cluster)) expect(each.read).toBeGreaterThanOrEqual(told);
      told = Math.max(told, ...cluster.nodes.map((each) => toldBy(each)));
    }
  });
});

/** The nodes that would answer a read now: an owner if it knows the newest term, a spare if it has all and tells all of it. */
function answering({ nodes, log }: Cluster): readonly Node[] {
  const newest = log.findLastIndex(({ type }) => type === "term.begun") + 1;
  return nodes.filter((each) => {
    const needed = each.role === "owner" ? newest : log.length;
    return each.role !== "absent" && each.read >= needed && each.read <= toldBy(each);
  });
}

/** Up to which entry a node answers those who sent it. */
const toldBy = ({ role, read, hold }: Node): number =>
  role === "owner" ? read : role === "fenced" || role === "absent" ? 0 : Math.min(read, hold.owned);

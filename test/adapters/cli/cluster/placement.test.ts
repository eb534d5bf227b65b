// Placement
// Where the engines of a cluster run, for any number of nodes, partitions and spares.

import fc from "fast-check";
import { expect, test } from "vitest";
import { placed } from "../../../../adapters/cli/cluster/placement.ts";
import { holds } from "../../../support/properties/property.ts";

const FILE = "test/adapters/cli/cluster/placement.test.ts";

const clusters = fc
  .record({
    nodes: fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,8}$/), { minLength: 2, maxLength: 9 }),
    partitions: fc.integer({ min: 1, max: 64 }),
    spares: fc.integer({ min: 0, max: 2 }),
  })
  .filter(({ nodes, spares }) => spares < nodes.length - 1);

const spread = (used: readonly string[], nodes: readonly string[]): number => {
  const counts = nodes.map((node) => used.filter((each) => each === node).length);
  return Math.max(...counts) - Math.min(...counts);
};

test("CLI-CLUSTER-PLACEMENT-1: the engines of a partition are on different nodes, as many as it needs", () => {
  holds(FILE, 100, clusters, ({ nodes, partitions, spares }) => {
    const all = placed(nodes, partitions, spares);
    expect(all.map((each) => new Set(each).size)).toEqual(
      Array.from({ length: partitions }, () => spares + 1),
    );
  });
});

test("CLI-CLUSTER-PLACEMENT-2: two nodes differ by one engine at most, and by one partition that they own", () => {
  holds(FILE, 100, clusters, ({ nodes, partitions, spares }) => {
    const all = placed(nodes, partitions, spares);
    expect(spread(all.flat(), nodes)).toBeLessThanOrEqual(1);
    expect(
      spread(
        all.map(([owner = ""]) => owner),
        nodes,
      ),
    ).toBeLessThanOrEqual(1);
  });
});

test("CLI-CLUSTER-PLACEMENT-3: a node more or less moves about its share, and the order of the nodes moves nothing", () => {
  holds(FILE, 100, clusters, ({ nodes, partitions, spares }) => {
    const all = placed(nodes, partitions, spares);
    const without = placed(nodes.slice(1), partitions, spares);
    const moved = all.flatMap((each, n) => each.filter((node) => without[n]?.includes(node) !== true)).length;
    const engines = partitions * (spares + 1);
    expect(moved).toBeLessThanOrEqual(engines / nodes.length + engines / 4 + nodes.length);
    expect(placed(nodes.toReversed(), partitions, spares)).toEqual(all);
  });
});

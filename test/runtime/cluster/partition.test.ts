// Partition
// Which share of the workspaces is an engine's own. What a real server makes of the same names: nats/server/partitions.test.ts.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPartition, partitionOf, readPartition } from "../../../runtime/cluster/partition.ts";
import { refusal } from "../../support/engine/refusal.ts";
import { holds } from "../../support/properties/property.ts";

const workspaces = fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/);

describe("partition", () => {
  it("CLUSTER-PARTITION-1: the hash of a name is FNV-1a with 32 bits, by the vectors that its authors publish", () => {
    const vectors = { a: 0xe40c292c, b: 0xe70c2de5, fo: 0x6222e842, foo: 0xa9f37ed7, foobar: 0xbf9cf968 };
    for (const [name, hash] of Object.entries(vectors)) {
      expect([name, partitionOf(name, 2 ** 32)]).toEqual([name, hash]);
      expect([name, partitionOf(name, 7)]).toEqual([name, hash % 7]);
    }
  });

  it("CLUSTER-PARTITION-1: of all engines exactly one takes a workspace, and the others name its partition", () => {
    const engines = fc.integer({ min: 1, max: 16 });
    holds(import.meta.filename, 200, fc.tuple(workspaces, engines), ([workspace, of]) => {
      const home = partitionOf(workspace, of);
      for (let number = 0; number < of; number += 1) {
        const check = (): void => checkPartition({ number, of }, workspace);
        if (number === home) expect(check).not.toThrow();
        else expect(check).toThrow(`is in partition ${home} of ${of}`);
      }
      expect(() => checkPartition(undefined, workspace)).not.toThrow();
    });
  });

  it("CLUSTER-PARTITION-1: a partition is a number and how many there are; anything else is refused", () => {
    expect(["0/1", "3/16", "99/100"].map(readPartition)).toEqual([
      { number: 0, of: 1 },
      { number: 3, of: 16 },
      { number: 99, of: 100 },
    ]);
    for (const wrong of ["", "3", "3/", "/16", "16/16", "0/0", "-1/4", "1/4/4", "1.5/4", "1/4 ", "1/1234567"])
      expect([wrong, refusal(() => readPartition(wrong)).code]).toEqual([wrong, "BAD_PARTITION"]);
  });
});

// Roots and proofs, held against known vectors and against a second reader that shares no code.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EMPTY_ROOT, leafHash, nodeHash } from "../../../runtime/tlog/hashes.ts";
import {
  consistencyProof,
  inclusionProof,
  rootByInclusion,
  rootOf,
  rootsByConsistency,
  type SubtreeHash,
} from "../../../runtime/tlog/tree.ts";
import { holds } from "../../support/properties/property.ts";
import { isConsistent, isIncluded, leafOf, mth } from "../../support/tlog/independent.ts";

const FILE = "tree.test.ts";

/** The leaves that the tests of RFC 6962 use everywhere, and the roots of their first 1 to 8. */
const LEAVES = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
];
const ROOTS = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

const hashes = Array.from({ length: 300 }, (_, n) => leafHash(Buffer.from(`leaf ${n}`)));
const subtrees =
  (leaves: readonly Buffer[]): SubtreeHash =>
  (height, index) =>
    mth(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height));
const at = subtrees(hashes);
const rootAt = (size: number): Buffer => mth(hashes.slice(0, size));

describe("Tree", () => {
  test("TLOG-HASHES-1: the roots of the leaves that everybody tests with are the known ones", () => {
    const known = LEAVES.map((hex) => leafHash(Buffer.from(hex, "hex")));
    const roots = known.map((_, n) => rootOf(n + 1, subtrees(known)).toString("hex"));
    expect(roots).toEqual(ROOTS);
    expect(EMPTY_ROOT.toString("hex")).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
  });

  test("TLOG-HASHES-1: two hashes as a leaf are another hash than as a pair", () => {
    const [one, other] = [leafOf(Buffer.from("a")), leafOf(Buffer.from("b"))];
    expect(leafHash(Buffer.concat([one, other]))).not.toEqual(nodeHash(one, other));
  });

  test("TLOG-TREE-1: each inclusion proof convinces another reader, and leads to the root", () => {
    const places = fc
      .integer({ min: 1, max: 300 })
      .chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)));
    holds(FILE, 500, places, ([size, index]) => {
      const proof = inclusionProof(index, size, at);
      const leaf = hashes[index] ?? EMPTY_ROOT;
      expect(isIncluded(leaf, index, size, proof, rootAt(size))).toBe(true);
      expect(rootByInclusion(leaf, { index, size, proof })).toEqual(rootAt(size));
    });
  });

  test("TLOG-TREE-1: each consistency proof convinces another reader, and leads to both roots", () => {
    const sizes = fc
      .integer({ min: 1, max: 300 })
      .chain((size) => fc.tuple(fc.integer({ min: 1, max: size }), fc.constant(size)));
    holds(FILE, 500, sizes, ([old, size]) => {
      const proof = consistencyProof(old, size, at);
      expect(isConsistent([old, rootAt(old)], [size, rootAt(size)], proof)).toBe(true);
      const roots = rootsByConsistency({ size: old, root: rootAt(old) }, size, proof);
      expect(roots).toEqual({ old: rootAt(old), now: rootAt(size) });
    });
  });

  test("TLOG-TREE-1, TLOG-TREE-2: a proof that was altered, or is for another place, leads elsewhere or nowhere", () => {
    const changes = fc.record({
      size: fc.integer({ min: 2, max: 300 }),
      a: fc.nat(),
      b: fc.nat(),
      how: fc.nat(3),
    });
    holds(FILE, 500, changes, ({ size, a, b, how }) => {
      const index = a % size;
      const proof = [...inclusionProof(index, size, at)];
      const leaf = hashes[index] ?? EMPTY_ROOT;
      const other = how === 0 ? (index + 1 + (b % (size - 1))) % size : index;
      const place = b % proof.length;
      if (how === 1) proof[place] = leafOf(proof[place] ?? leaf);
      if (how === 2) proof.splice(place, 1);
      if (how === 3) proof.push(leaf);
      const led = rootByInclusion(leaf, { index: other, size, proof });
      expect(led?.equals(rootAt(size)) ?? false).toBe(false);
      expect(isIncluded(leaf, other, size, proof, rootAt(size))).toBe(false);
    });
  });

  test("TLOG-TREE-2: a consistency proof with one hash more or fewer leads nowhere, or elsewhere", () => {
    const sizes = fc
      .integer({ min: 2, max: 300 })
      .chain((size) => fc.tuple(fc.integer({ min: 1, max: size - 1 }), fc.constant(size)));
    holds(FILE, 300, sizes, ([old, size]) => {
      const proof = consistencyProof(old, size, at);
      const root = rootAt(old);
      for (const wrong of [proof.slice(1), [...proof, root], proof.with(0, leafOf(root))]) {
        const roots = rootsByConsistency({ size: old, root }, size, wrong);
        expect(roots?.old.equals(root) === true && roots.now.equals(rootAt(size))).toBe(false);
      }
    });
  });
});

// The names of tiles, which there are for a size, bundles of entries.

import fc from "fast-check";
import { expect, test } from "vitest";
import { bundleOf, entriesIn } from "../../../runtime/tlog/bundles.ts";
import { subtreesOf, TILE_WIDTH, tilePath, tilesOf } from "../../../runtime/tlog/tiles.ts";
import { rootOf } from "../../../runtime/tlog/tree.ts";
import { holds } from "../../support/properties/property.ts";
import { leafOf, mth } from "../../support/tlog/independent.ts";

const FILE = "tiles.test.ts";

test("TLOG-TILES-1: the names of tiles are those of the specification", () => {
  expect(tilePath(0, 1_234_067)).toBe("tile/0/x001/x234/067");
  expect(tilePath("entries", 0, 17)).toBe("tile/entries/000.p/17");
  expect(tilePath(2, 999, 1)).toBe("tile/2/999.p/1");
});

test("TLOG-TILES-1: a log of 70,000 entries has the tiles that the specification counts, one of 256 a second level", () => {
  const count = (level: number, isFull: boolean): number =>
    [...tilesOf(70_000)].filter((tile) => tile.level === level && (tile.width === TILE_WIDTH) === isFull)
      .length;
  expect([count(0, true), count(0, false), count(1, true), count(1, false), count(2, false)]).toEqual([
    273, 1, 1, 1, 1,
  ]);
  expect([...tilesOf(70_000)].filter(({ width }) => width < TILE_WIDTH).map(({ width }) => width)).toEqual([
    112, 17, 1,
  ]);
  expect([...tilesOf(256)]).toEqual([
    { level: 0, n: 0, width: 256 },
    { level: 1, n: 0, width: 1 },
  ]);
});

test("TLOG-TILES-1: a root out of tiles is that of the leaves, also above the first level", () => {
  const leaves = Array.from({ length: 70_000 }, (_, n) => leafOf(Buffer.from(String(n))));
  const tiles = new Map<string, Buffer>();
  for (const { level, n, width } of tilesOf(leaves.length)) {
    const span = 256 ** level;
    const hashes = Array.from({ length: width }, (_, i) =>
      mth(leaves.slice((n * 256 + i) * span, (n * 256 + i + 1) * span)),
    );
    tiles.set(`${level}/${n}`, Buffer.concat(hashes));
  }
  const at = subtreesOf((level, n) => tiles.get(`${level}/${n}`) ?? Buffer.alloc(0));
  expect(rootOf(leaves.length, at)).toEqual(mth(leaves));
});

test("TLOG-BUNDLES-1: entries are read as they were written, and a bundle that is cut is none", () => {
  const lists = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 20 });
  holds(FILE, 200, lists, (list) => {
    const bundle = bundleOf(list);
    expect(entriesIn(bundle)).toEqual(list.map((each) => Buffer.from(each)));
    expect(() => entriesIn(Buffer.concat([bundle, Buffer.of(0)]))).toThrow("ends in the middle of an entry");
    expect(() => entriesIn(bundle.subarray(0, -1))).toThrow("ends in the middle of an entry");
  });
});

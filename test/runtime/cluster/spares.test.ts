// Spares: what an owner remembers of those that ask it.

import { expect, test } from "vitest";
import { Spares } from "../../../runtime/cluster/spares.ts";

const asked = (node: string) => ({ node, compare: [] });
const differs = { of: "changes", n: 3, position: 2 } as const;

test("CLUSTER-SPARES-1: a spare is there for two seconds after each question, and has asked for ever", () => {
  const spares = new Spares();
  expect(spares.isAsked).toBe(false);
  spares.hear({ node: "", compare: [] }, 1_000);
  expect(spares.isAsked).toBe(false);
  spares.hear(asked("http://b"), 1_000);
  spares.hear(asked("http://c"), 2_000);
  expect(spares.present(2_999)).toEqual(["http://b", "http://c"]);
  expect(spares.present(3_000)).toEqual(["http://c"]);
  expect([spares.present(9_000), spares.isAsked]).toEqual([[], true]);
});

test("CLUSTER-SPARES-2: a spare that differs is told until one at its address asks again, and could not take over", () => {
  const spares = new Spares();
  spares.hear({ ...asked("http://b"), differs }, 1_000);
  spares.hear(asked("http://c"), 1_100);
  expect(spares.present(1_200)).toEqual(["http://c"]);
  expect(spares.troubles(1_300)).toMatchObject([{ code: "SPARE_DIFFERS", since: 1_000, isEssential: false }]);
  spares.hear(asked("http://b"), 1_300);
  expect(spares.troubles(1_300)).toEqual([]);
});

test("CLUSTER-SPARES-3: of a hundred addresses the latest sixteen are remembered", () => {
  const spares = new Spares();
  for (let n = 0; n < 100; n += 1) spares.hear(asked(`http://${n}`), 1_000);
  expect(spares.present(1_000)).toEqual(Array.from({ length: 16 }, (_, n) => `http://${84 + n}`));
});

test("CLUSTER-SPARES-4: the owner trims to what one of its spares holds, and nothing for one that differs or fell silent unheard", () => {
  const spares = new Spares();
  expect(spares.trimTo(100, 1_000)).toBe(0);
  spares.hear({ ...asked("http://b"), holds: 40 }, 1_100);
  spares.hear({ ...asked("http://c"), holds: 70 }, 1_100);
  expect([spares.trimTo(60, 1_200), spares.trimTo(100, 1_200)]).toEqual([60, 70]);
  spares.hear({ ...asked("http://c"), differs }, 1_300);
  expect(spares.trimTo(100, 1_400)).toBe(40);
  // A new, empty folder at the same address.
  spares.hear(asked("http://b"), 1_500);
  expect(spares.trimTo(100, 1_600)).toBe(0);
});

test("CLUSTER-SPARES-4: entries that only wait for a spare are a trouble, unless a spare is there and compares", () => {
  const spares = new Spares();
  spares.hear({ ...asked("http://b"), holds: 40 }, 1_000);
  spares.trimTo(30, 1_100);
  expect(spares.troubles(9_000)).toEqual([]);
  spares.trimTo(50, 1_200);
  spares.trimTo(60, 5_000);
  expect(spares.troubles(1_300)).toEqual([]);
  expect(spares.troubles(9_000)).toMatchObject([
    { code: "NO_SPARE_HOLDS", since: 1_200, isEssential: false },
  ]);
  spares.hear({ ...asked("http://b"), holds: 60 }, 9_000);
  spares.trimTo(60, 9_100);
  expect(spares.troubles(99_000)).toEqual([]);
});

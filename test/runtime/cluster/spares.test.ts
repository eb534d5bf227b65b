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
  expect(spares.troubles()).toMatchObject([{ code: "SPARE_DIFFERS", since: 1_000, isEssential: false }]);
  spares.hear(asked("http://b"), 1_300);
  expect(spares.troubles()).toEqual([]);
});

test("CLUSTER-SPARES-3: of a hundred addresses the latest sixteen are remembered", () => {
  const spares = new Spares();
  for (let n = 0; n < 100; n += 1) spares.hear(asked(`http://${n}`), 1_000);
  expect(spares.present(1_000)).toEqual(Array.from({ length: 16 }, (_, n) => `http://${84 + n}`));
});

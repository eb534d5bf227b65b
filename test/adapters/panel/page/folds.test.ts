// Folds
// Which calls of subagents are folded, for any tree of calls, whatever was turned round and chosen.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folded, foldFor, MANY, weightOf } from "../../../../adapters/panel/page/session/folds.ts";
import type { CallRow, Fold, RequestRow } from "../../../../adapters/panel/page/session/model.ts";

interface Node {
  readonly id: number;
  readonly depth: number;
  readonly waits: boolean;
}

/** Calls in order, each at most one level below the one before it. */
const trees = fc
  .array(fc.record({ step: fc.integer({ min: -3, max: 1 }), waits: fc.nat(30) }), { maxLength: 60 })
  .map((steps): readonly Node[] => {
    let depth = -1;
    return steps.map(({ step, waits }, id) => {
      depth = Math.max(0, depth + step);
      return { id, depth, waits: waits === 0 };
    });
  });

const rowOf = ({ id, depth, waits }: Node): CallRow =>
  // The cast is safe: folds read these fields alone.
  ({
    call: { id: `c${id}`, execution: "completed" },
    depth,
    ...(waits && { waiting: {} }),
  }) as unknown as CallRow;

const requestOf = (all: readonly Node[]): RequestRow =>
  ({ batches: [{ id: "b1", rows: all.map(rowOf) }] }) as unknown as RequestRow;

const rowsIn = (requests: readonly RequestRow[]): readonly CallRow[] =>
  requests.flatMap(({ batches }) => batches.flatMap(({ rows }) => rows));

const idOf = (row: CallRow): number => Number(String(row.call.id).slice(1));

/** The calls below a call, by going up from each. */
function belowOf(all: readonly Node[], at: number): readonly Node[] {
  const isBelow = (node: Node): boolean => {
    for (let up = node.id - 1, depth = node.depth; up >= 0; up -= 1) {
      const above = all[up];
      if (!above || above.depth >= depth) continue;
      if (up === at) return true;
      depth = above.depth;
    }
    return false;
  };
  return all.filter(isBelow);
}

const cases = fc.record({
  all: trees,
  turned: fc.array(fc.tuple(fc.nat(59), fc.boolean()), { maxLength: 6 }),
  chosen: fc.option(fc.nat(59), { nil: undefined }),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

const shownIn = ({ all, turned, chosen }: Case): readonly CallRow[] =>
  rowsIn(
    folded(
      [requestOf(all)],
      new Map(turned.map(([id, isOpen]) => [`c${id}`, isOpen])),
      chosen === undefined ? undefined : `c${chosen}`,
    ),
  );

describe("the folds of a session", () => {
  it("FOLDS-3: each call is drawn or counted by one fold, and all that are drawn stay in order", () => {
    fc.assert(
      fc.property(cases, (given) => {
        const shown = shownIn(given);
        expect(shown.reduce((sum, row) => sum + weightOf(row), 0)).toBe(given.all.length);
        const ids = shown.map(idOf);
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      }),
    );
  });

  it("FOLDS-1, FOLDS-2: many calls are folded unless one waits, a person turns either round, and the chosen call is drawn", () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { all, turned, chosen } = given;
        const shown = shownIn(given);
        if (chosen !== undefined && chosen < all.length) expect(shown.map(idOf)).toContain(chosen);
        for (const row of shown) {
          const below = belowOf(all, idOf(row));
          const fold: Fold | undefined = row.fold;
          expect(fold?.calls ?? 0).toBe(below.length);
          if (!fold) continue;
          const told = turned.findLast(([id]) => id === idOf(row))?.[1];
          const holdsChosen = below.some(({ id }) => id === chosen);
          const isUsual = below.length < MANY || below.some(({ waits }) => waits);
          expect(fold.isOpen).toBe(holdsChosen || (told ?? isUsual));
        }
      }),
    );
  });

  it("FOLDS-1: the key turns a call's own fold, else the nearest one above it", () => {
    fc.assert(
      fc.property(trees, fc.nat(59), (all, chosen) => {
        const rows = shownIn({ all, turned: [], chosen });
        const found = foldFor(rows, `c${chosen}`);
        const node = all[chosen];
        const above = all.slice(0, chosen).filter(({ id }) => node && belowOf(all, id).includes(node));
        const own = belowOf(all, chosen).length > 0 ? chosen : above.at(-1)?.id;
        expect(found && idOf(found)).toBe(own);
      }),
    );
  });
});

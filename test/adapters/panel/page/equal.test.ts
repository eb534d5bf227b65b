// Panel: equal approvals
// Which approvals are equal, and where they stand.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Card } from "../../../../adapters/panel/page/inbox/card/card.ts";
import { equalityOf } from "../../../../adapters/panel/page/inbox/equal/equal.ts";

interface Told {
  readonly workspace: string;
  readonly sessionId: string;
  readonly id: string;
  readonly tool: string;
  readonly inputHash?: string;
  readonly cwd?: string;
}

const cardOf = ({ cwd, ...approval }: Told): Card =>
  ({ approval, phase: { is: "open" }, ...(cwd !== undefined && { cwd }) }) as unknown as Card;

/** Few values, and those that could run into one another. */
const few = fc.constantFrom("a", "b", 'a","b', "a/b", "");
const told: fc.Arbitrary<Told> = fc.record(
  { workspace: few, sessionId: few, id: few, tool: few, inputHash: few, cwd: few },
  { requiredKeys: ["workspace", "sessionId", "id", "tool"] },
);

/** EQUAL-1, as it is written. */
const isEqual = (one: Told, other: Told): boolean => {
  const isSame = one.workspace === other.workspace && one.id === other.id;
  if (one.inputHash === undefined || other.inputHash === undefined)
    return one.inputHash === other.inputHash && isSame;
  const isNear =
    one.cwd === undefined || other.cwd === undefined
      ? one.cwd === other.cwd && one.sessionId === other.sessionId
      : one.cwd === other.cwd;
  return (
    one.workspace === other.workspace &&
    one.tool === other.tool &&
    one.inputHash === other.inputHash &&
    isNear
  );
};

describe("equal approvals", () => {
  it("EQUAL-1: equal are the same tool and input in one folder, or in one session without a known folder, and nothing else", () => {
    fc.assert(
      fc.property(told, told, (one, other) => {
        expect(equalityOf(cardOf(one)) === equalityOf(cardOf(other))).toBe(isEqual(one, other));
      }),
      { numRuns: 2_000 },
    );
  });
});

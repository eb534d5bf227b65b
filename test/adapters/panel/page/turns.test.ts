// Turns
// What each turn of a session cost, and its model and context, for any reports of a client.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Placed, turnsOf } from "../../../../adapters/panel/page/session/talk/turns.ts";

interface Spent {
  readonly cents: number;
  readonly isTold: boolean;
  readonly texts: number;
}

/** Turns that each cost something; of some the client says by their end what the session has cost. */
const spending = fc.array(fc.record({ cents: fc.nat(500), isTold: fc.boolean(), texts: fc.nat(3) }), {
  maxLength: 8,
});

function itemsOf(turns: readonly Spent[]): readonly Placed[] {
  let cents = 0;
  return turns.flatMap(({ cents: own, isTold, texts }, n) => {
    const request = `r${n}`;
    cents += own;
    const words = Array.from({ length: texts }, () => ({
      said: { kind: "words", text: "." } as const,
      request,
    }));
    const cost = isTold ? [{ said: { kind: "cost", usd: cents } as const, request }] : [];
    return [{ said: { kind: "prompt", text: "Go on." } as const, request }, ...words, ...cost];
  });
}

describe("the turns of a session in figures", () => {
  it("TURNS-1: a turn's cost is told where its end and the one before it were, and is what it cost", () => {
    fc.assert(
      fc.property(spending, fc.boolean(), (turns, isWhole) => {
        const found = turnsOf(itemsOf(turns), isWhole);
        expect(found.size).toBe(turns.length);
        for (const [n, { cents, isTold, texts }] of turns.entries()) {
          const isKnown = isTold && (n === 0 ? isWhole : turns[n - 1]?.isTold === true);
          expect(found.get(`r${n}`)?.usd).toBe(isKnown ? cents : undefined);
          expect(found.get(`r${n}`)?.texts).toBe(texts);
        }
      }),
    );
  });

  it("TURNS-1: a cost that is less than the one before it, as of a session begun anew, gives none", () => {
    const cost = (usd: number, request: string): readonly Placed[] => [
      { said: { kind: "prompt", text: "Go on." }, request },
      { said: { kind: "cost", usd }, request },
    ];
    const found = turnsOf([...cost(3, "r0"), ...cost(1, "r1"), ...cost(1.5, "r2")], true);
    expect(["r0", "r1", "r2"].map((id) => found.get(id)?.usd)).toEqual([3, undefined, 0.5]);
  });

  it("TURNS-2: the model and the context are of the last message that has them", () => {
    const said = (model: string | undefined, context: number | undefined): Placed => ({
      said: { kind: "call", callId: "c", ...(model && { model }), ...(context !== undefined && { context }) },
      request: "r0",
    });
    const found = turnsOf(
      [said("small", 10), said("large", 900), said(undefined, 950), said(undefined, undefined)],
      true,
    );
    expect(found.get("r0")).toEqual({ texts: 0, model: "large", context: 950 });
  });
});

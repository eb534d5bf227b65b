// Kept
// What is shown of a session, made of the objects that were shown before, for any two states of it.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kept } from "../../../../adapters/panel/page/session/kept.ts";
import type { CallRow } from "../../../../adapters/panel/page/session/model.ts";
import type { Shown } from "../../../../adapters/panel/page/session/window.ts";

/** The engine's views of calls and requests: each is one object for as long as nothing of it changes. */
const CALLS = Array.from({ length: 6 }, (_, n) => ({ id: `c${n}` }));
const REQUESTS = Array.from({ length: 3 }, (_, n) => ({ requestId: `r${n}` }));

const fold = fc.option(fc.record({ calls: fc.nat(2), failed: fc.nat(1), isOpen: fc.boolean() }), {
  nil: undefined,
});
// The casts are safe: these are the fields that are compared.
const rows = fc.array(
  fc.record({ call: fc.constantFrom(...CALLS), depth: fc.nat(1), isAround: fc.boolean(), fold }),
  { maxLength: 3 },
) as unknown as fc.Arbitrary<readonly CallRow[]>;
const requests = fc.uniqueArray(
  fc.record({
    request: fc.constantFrom(...REQUESTS),
    batches: fc.uniqueArray(fc.record({ id: fc.constantFrom("b1", "b2", "b3"), rows }), {
      selector: ({ id }) => id,
    }),
    calls: fc.subarray(CALLS),
    from: fc.nat(1),
    to: fc.nat(1),
    hidden: fc.nat(1),
  }),
  { selector: ({ request }) => request.requestId },
);
const shown = fc.record({ requests, hidden: fc.nat(2) }) as unknown as fc.Arbitrary<Shown>;

/** Each batch by its request's id and its own. */
const batchesOf = ({ requests: all }: Shown) =>
  new Map(
    all.flatMap(({ request, batches }) => batches.map((each) => [`${request.requestId}/${each.id}`, each])),
  );

describe("what is shown of a session", () => {
  it("KEPT-1: it equals what was given, and a batch with the same calls is the same object as before", () => {
    fc.assert(
      fc.property(shown, shown, (before, now) => {
        const found = kept(before, now);
        expect(found).toEqual(now);
        const [old, given] = [batchesOf(before), batchesOf(now)];
        for (const [place, batch] of batchesOf(found)) {
          const last = old.get(place);
          const isSame = JSON.stringify(last) === JSON.stringify(given.get(place));
          expect(batch === last).toBe(isSame && last !== undefined);
        }
      }),
    );
  });

  it("KEPT-1: a request with nothing new in it is the same object as before, whatever others do", () => {
    fc.assert(
      fc.property(shown, (all) => {
        const again: Shown = {
          hidden: all.hidden,
          requests: all.requests.map((each) => ({
            ...each,
            batches: each.batches.map((batch) => ({ ...batch, rows: batch.rows.map((row) => ({ ...row })) })),
          })),
        };
        expect(kept(all, again).requests.every((each, n) => each === all.requests[n])).toBe(true);
      }),
    );
  });
});

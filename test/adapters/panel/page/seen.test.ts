// Panel: what was seen, as functions
// An answer is made of what stood on the screen, as it stood there, for long enough before the press.

import { describe, expect, it } from "vitest";
import { fc } from "@fast-check/vitest";
import {
  type Drawn,
  type Look,
  looked,
  mayAnswer,
  SEEING_MS,
  seenOf,
  seenTogether,
} from "../../../../adapters/panel/page/inbox/seen/seen.ts";

const drawn: fc.Arbitrary<Drawn> = fc.record({
  workspace: fc.constantFrom("v", "w"),
  id: fc.constantFrom("a", "b"),
  hash: fc.option(fc.constantFrom("h1", "h2"), { nil: undefined }),
  version: fc.constantFrom(1, 2),
  isWhole: fc.boolean(),
});
/** What is on the screen, one after another. */
const film = fc.array(
  fc.record({
    drawn: fc.option(drawn, { nil: undefined }),
    isOnScreen: fc.boolean(),
    forMs: fc.nat(2 * SEEING_MS),
  }),
  { minLength: 1 },
);

describe("the panel: what was seen", () => {
  it("SEEN-1, SEEN-2: seen is exactly what stood there unchanged, and on the screen, for the last 300 ms", () => {
    fc.assert(
      fc.property(film, fc.nat(2 * SEEING_MS), (pictures, later) => {
        let look: Look | undefined;
        let [at, since] = [0, 0];
        let before: unknown;
        for (const { drawn: it, isOnScreen, forMs } of pictures) {
          look = looked(look, it, isOnScreen, at);
          const now = it && isOnScreen ? JSON.stringify(it) : undefined;
          if (now !== before) since = at;
          before = now;
          at += forMs;
        }
        const last = pictures.at(-1)?.drawn;
        // Pressed after, or while the page was busy with something else.
        for (const press of [at + later, at - later]) {
          const seen = last && seenOf(look, last, press);
          expect(seen).toEqual(before !== undefined && press - since >= SEEING_MS ? last : undefined);
        }
      }),
    );
  });

  it("SEEN-1: what was seen of one approval answers no other", () => {
    fc.assert(
      fc.property(drawn, drawn, (one, other) => {
        const look = looked(undefined, one, true, 0);
        const isIt = one.workspace === other.workspace && one.id === other.id;
        expect(seenOf(look, other, SEEING_MS)).toEqual(isIt ? one : undefined);
      }),
    );
  });

  it("SEEN-1, SEEN-3: no answer is given to another input than the one seen, and nothing is approved that was not seen whole", () => {
    fc.assert(
      fc.property(drawn, fc.option(fc.constantFrom("h1", "h2"), { nil: undefined }), (one, hash) => {
        const seen = seenOf(looked(undefined, one, true, 0), one, SEEING_MS);
        if (!seen) throw new Error("It stood there for long enough.");
        const now = { ...one, hash, version: 3, isWhole: true };
        const isSame = one.hash === hash;
        expect([mayAnswer(seen, now, "deny"), mayAnswer(seen, now, "approve")]).toEqual([
          isSame,
          isSame && one.isWhole,
        ]);
      }),
    );
  });

  it("SEEN-2, BULK-1: of a list either all are seen, or none; an input seen whole in one is so in those alike", () => {
    fc.assert(
      fc.property(fc.array(drawn), fc.nat(2 * SEEING_MS), (all, press) => {
        const seen = seenTogether(all, 0, press);
        expect(seen.length).toBe(press >= SEEING_MS ? all.length : 0);
        for (const { hash, isWhole } of seen)
          expect(isWhole).toBe(all.some((each) => each.hash === hash && each.isWhole));
        expect(seenTogether(all, undefined, press)).toEqual([]);
      }),
    );
  });
});

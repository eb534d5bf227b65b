// Looking
// Who looks where now, whatever is said in whatever order.

import { describe, expect, it } from "vitest";
import { fc } from "@fast-check/vitest";
import { LOOKERS_MAX, Looking, LOOKS_FOR_MS } from "../../../runtime/presence/looking.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";

function watching() {
  const clock = new ManualClock();
  let told = 0;
  const looking = new Looking(clock, () => (told += 1));
  return { clock, looking, told: () => told };
}

describe("who looks at an approval", () => {
  it("LOOKING-1, LOOKING-3: each name is at the place that it said last, for as long as it says so", () => {
    const name = fc.constantFrom("ann", "ben", "zoe");
    const act = fc.record({
      ...{ name, workspace: fc.constantFrom("v", "w"), id: fc.constantFrom("a", "b") },
      ...{ is: fc.constantFrom("look", "leave"), afterMs: fc.nat(LOOKS_FOR_MS) },
    });
    fc.assert(
      fc.property(fc.array(act), (acts) => {
        const { clock, looking } = watching();
        const known = new Map<string, { workspace: string; id: string; at: number }>();
        let now = 0;
        for (const { is, afterMs, ...at } of acts) {
          clock.advance(afterMs);
          now += afterMs;
          for (const [each, { at: since }] of known) if (now - since >= LOOKS_FOR_MS) known.delete(each);
          const before = known.get(at.name);
          if (is === "look") {
            looking.put(at);
            known.set(at.name, { workspace: at.workspace, id: at.id, at: now });
          } else {
            looking.take(at);
            if (before?.workspace === at.workspace && before.id === at.id) known.delete(at.name);
          }
          const expected = [...known].map(([each, { workspace, id }]) => ({ workspace, id, name: each }));
          const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
          expect(looking.within(undefined)).toEqual(expected.toSorted(byName));
        }
      }),
    );
  });

  it("LOOKING-3: of more names than the table holds, the newest stay", () => {
    const { looking } = watching();
    const nameOf = (n: number): string => `p${String(n).padStart(4, "0")}`;
    for (let n = 0; n < LOOKERS_MAX + 10; n += 1)
      looking.put({ workspace: `w${n % 10}`, id: "a", name: nameOf(n) });
    const names = looking.within(undefined).map(({ name }) => name);
    expect(names).toHaveLength(LOOKERS_MAX);
    expect([names[0], names.at(-1)]).toEqual([nameOf(10), nameOf(LOOKERS_MAX + 9)]);
  });

  it("LOOKING-5: a workspace that fills the table loses its own eldest entries, and no other workspace loses any", () => {
    const { looking } = watching();
    looking.put({ workspace: "v", id: "a", name: "ann" });
    for (let n = 0; n < 2 * LOOKERS_MAX; n += 1)
      looking.put({ workspace: "w", id: "a", name: `p${String(n).padStart(4, "0")}` });
    const of = (workspace: string) => looking.within(new Set([workspace])).map(({ name }) => name);
    expect([of("v"), of("w").length, of("w").at(-1)]).toEqual([["ann"], LOOKERS_MAX / 4, "p0511"]);
  });

  it("LOOKING-3: a repeated look is no change, and ends as late as the last one says", () => {
    const { clock, looking, told } = watching();
    const at = { workspace: "w", id: "a", name: "ann" };
    for (let n = 0; n < 5; n += 1) {
      looking.put(at);
      clock.advance(LOOKS_FOR_MS - 1);
    }
    expect([told(), looking.within(undefined)]).toEqual([1, [at]]);
    clock.advance(1);
    expect([told(), looking.within(undefined)]).toEqual([2, []]);
  });

  it("LOOKING-4: who looks in another workspace is not told", () => {
    const { looking } = watching();
    looking.put({ workspace: "v", id: "a", name: "ann" });
    looking.put({ workspace: "w", id: "a", name: "ben" });
    expect(looking.within(new Set(["w"])).map(({ name }) => name)).toEqual(["ben"]);
  });
});

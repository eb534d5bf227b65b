// Search index
// Against a list that is filtered and sorted; and over its limits, where it must say what it forgot.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address } from "../../../../machines/index.ts";
import {
  FOUND_KINDS,
  type FoundKind,
  type Indexed,
  SearchIndex,
} from "../../../../runtime/reading/search/search-index.ts";

const ROOMY = { things: 10_000, characters: 1_000_000 };
const WORKSPACES = ["shop", "bank"] as const;

const thing = (n: number, at: number, text: string, kind: FoundKind = "call"): Indexed => ({
  address: `w/s/call/${n}` as Address,
  kind,
  at,
  text,
});

const step = fc.record({
  workspace: fc.constantFrom(...WORKSPACES),
  n: fc.nat(30),
  at: fc.nat(50),
  kind: fc.constantFrom(...FOUND_KINDS),
  text: fc.array(fc.constantFrom("git", "push", "test", "red"), { maxLength: 3 }).map((all) => all.join(" ")),
  isGone: fc.boolean(),
});

describe("the index of the search", () => {
  test("SEARCH-INDEX-2: finds what a list of the same things has, newest first, within a workspace and in all", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.subarray(["git", "pu", "red"]),
        fc.integer({ min: 1, max: 5 }),
        async (steps, words, limit) => {
          const index = new SearchIndex(ROOMY);
          const model = new Map<string, Indexed & { readonly workspace: string }>();
          for (const { workspace, n, at, kind, text, isGone } of steps) {
            const one = thing(n, at, text, kind);
            if (isGone) index.delete(workspace, one.address);
            else index.put(workspace, one);
            if (isGone) model.delete(`${workspace} ${n}`);
            else model.set(`${workspace} ${n}`, { ...one, workspace });
          }
          expect(index.size).toBe(model.size);
          for (const within of [undefined, ...WORKSPACES]) {
            const found = await index.fitting(words, limit, within);
            for (const kind of FOUND_KINDS) {
              const fits = [...model.values()].filter(
                (each) =>
                  each.kind === kind &&
                  (within ?? each.workspace) === each.workspace &&
                  words.every((word) => each.text.includes(word)),
              );
              const times = fits.map(({ at }) => at).sort((a, b) => b - a);
              // Of those that began at the same time any may stand for the others.
              expect(found[kind].map(({ at }) => at)).toEqual(times.slice(0, limit + 1));
              for (const each of found[kind])
                expect(words.every((word) => each.text.includes(word))).toBe(true);
            }
          }
        },
      ),
    );
  });

  test("SEARCH-INDEX-1: over its limits the workspace with the most things forgets its oldest, and says since when", async () => {
    const index = new SearchIndex({ things: 100, characters: 1_000_000 });
    for (let n = 0; n < 20; n += 1) index.put("bank", thing(n, n, "vault"));
    for (let n = 0; n < 500; n += 1) {
      index.put("shop", thing(n, 1_000 + n, "shelf"));
      expect(index.size).toBeLessThanOrEqual(100);
    }
    expect([index.sizeOf("bank"), index.forgottenTo("bank")]).toEqual([20, 0]);
    const { call } = await index.fitting(["shelf"], 100, "shop");
    expect(call.map(({ at }) => at)).toEqual(Array.from(call, (_, n) => 1_499 - n));
    expect(index.forgottenTo("shop")).toBe((call.at(-1)?.at ?? 0) - 1);
    expect(index.forgottenTo()).toBe(index.forgottenTo("shop"));
  });

  test("SEARCH-INDEX-1: what it forgot began no later than it says, in whatever order things came", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5_000), { minLength: 400, maxLength: 1_500 }), (times) => {
        const index = new SearchIndex({ things: 300, characters: 1_000_000 });
        times.forEach((at, n) => index.put("shop", thing(n, at, "shelf", n % 3 === 0 ? "request" : "call")));
        const forgotten = times.filter((_, n) => !index.has("shop", thing(n, 0, "").address));
        expect(index.size).toBe(times.length - forgotten.length);
        expect(index.size).toBeLessThanOrEqual(300);
        // Room is made for what comes, not more.
        expect(index.size).toBeGreaterThan(250);
        expect(Math.max(...forgotten)).toBeLessThanOrEqual(index.forgottenTo("shop"));
      }),
      { numRuns: 50 },
    );
  });

  test("SEARCH-INDEX-1: its characters are counted, whatever comes, changes and goes", () => {
    const index = new SearchIndex({ things: 1_000, characters: 1_000 });
    for (let n = 0; n < 100; n += 1) {
      index.put("w", thing(n % 40, n, "x".repeat(10 + n)));
      expect(index.characters).toBeLessThanOrEqual(1_000);
    }
    for (let n = 0; n < 40; n += 1) index.delete("w", thing(n, 0, "").address);
    expect([index.size, index.characters]).toEqual([0, 0]);
  });

  test("SEARCH-INDEX-3: a word of one among a thousand is found, and only while that one has it", async () => {
    const index = new SearchIndex(ROOMY);
    for (let n = 0; n < 1_000; n += 1) index.put("w", thing(n, n, n === 300 ? "one needle" : "hay"));
    const found = async (word: string) => (await index.fitting([word], 5)).call.map(({ at }) => at);
    expect(await found("needle")).toEqual([300]);
    expect(await found("hay")).toEqual([999, 998, 997, 996, 995, 994]);
    index.put("w", thing(300, 300, "thread"));
    expect([await found("needle"), await found("thread")]).toEqual([[], [300]]);
    index.delete("w", thing(300, 0, "").address);
    expect([await found("thread"), index.size]).toEqual([[], 999]);
  });

  test("SEARCH-INDEX-4: what changes between two slices of a search is found once", async () => {
    const index = new SearchIndex(ROOMY);
    const all = Array.from({ length: 3_000 }, (_, n) => n);
    for (const n of all) index.put("w", thing(n, n, "hay"));
    const search = index.fitting(["hay"], all.length);
    for (const n of all) index.put("w", thing(n, n, "fresh hay"));
    const { call } = await search;
    expect(call.map(({ at }) => at)).toEqual(all.toReversed());
    expect(call.filter(({ text }) => text === "fresh hay").length).toBeGreaterThan(0);
  });
});

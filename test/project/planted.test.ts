// Planted bugs
// Each bug still finds its place in the source, and names a test that is there. `npm run planted` tries them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { claims, planted, witnessesOf } from "../planted/bug.ts";
import { BUGS } from "../planted/bugs/index.ts";
import { titlesIn } from "../support/docs/titles.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

describe("planted bugs", () => {
  test.each(BUGS.map((bug) => [bug.name, bug] as const))(
    "BUG-1: %s: its place is there, once",
    (_, { edits }) => {
      const texts = new Map<string, string>();
      for (const edit of edits) {
        const text = texts.get(edit.file) ?? read(edit.file);
        const changed = planted(text, edit);
        expect(changed).not.toBe(text);
        texts.set(edit.file, changed);
      }
    },
  );

  test("BUG-1: a place that is gone, or there twice, is an error that names it", () => {
    const edit = { file: "a.ts", find: "x", put: "y" };
    expect(planted("axb", edit)).toBe("ayb");
    expect(() => planted("ab", edit)).toThrow("stands 0 times in a.ts: x");
    expect(() => planted("axbx", edit)).toThrow("stands 2 times in a.ts: x");
  });

  test("TRIAL-2: a title claims what stands before its first colon, or its first word", () => {
    expect(claims("I-20, G8: an approval is turned away", "G8")).toBe(true);
    expect(claims("I-10 aDenialReachesForward", "I-10")).toBe(true);
    expect(claims("I-20: what I-34 says", "I-34")).toBe(false);
    expect(claims("I-100: a", "I-10")).toBe(false);
  });

  test("TRIAL-2: each names a test file with a title that claims what the bug breaks", () => {
    // Titles of invariants checked over generated sessions are the names of their checkers.
    const named = [...read("test/support/properties/theorems.ts").matchAll(/^ {2}"(I-\d+ \w+)"/gm)].map(
      ([, name = ""]) => name,
    );
    const missing = BUGS.flatMap(witnessesOf).filter(({ file, claim }) => {
      const shared = file.startsWith("test/adapters/contracts/") ? SHARED : [];
      return ![...titlesIn(read(file)), ...shared, ...named].some((title) => claims(title, claim));
    });
    expect(missing).toEqual([]);
    expect(new Set(BUGS.map(({ name }) => name)).size).toBe(BUGS.length);
  });
});

/** Of the suites that contracts.test runs. */
const SHARED = ["runtime/contracts", "test/adapters/contracts"].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".contract.ts") && !name.startsWith("asker"))
    .flatMap((name) => titlesIn(read(`${folder}/${name}`))),
);

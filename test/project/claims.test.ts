// Claims
// Each id of a claim is defined once, each that is used is defined, and each stands in the title of a test.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { witnessesOf } from "../planted/bug.ts";
import { BUGS } from "../planted/bugs/index.ts";
import {
  claimed,
  claimsOf,
  type Definition,
  mentioned,
  namingSections,
  ofFiles,
  read,
  rowsOf,
} from "../support/docs/claims.ts";
import { demandsIn } from "../support/docs/titles.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PROMISES = "docs/reference/promises.md";
const promises = rowsOf(PROMISES, /^G\d+$/);
const areas = rowsOf(PROMISES, /^`[A-Z][A-Za-z]+`$/).map((row) => ({
  ...row,
  id: row.id.replaceAll("`", ""),
}));
const spec = rowsOf("machines/SPEC.md", /^(?:I-\d\d|[RC]\d|B1)$/);
const demands = rowsOfDemands();

const all: readonly Definition[] = [...promises, ...areas, ...spec, ...demands, ...ofFiles];
const defined = new Set(all.map(({ id }) => id));
const inTitles = new Set(claimed.map(({ id }) => id));

/** A claim that no test can show says so at its end, with the reason. */
const BY_REVIEW = /\(checked by review: [^)]+\)$/;

function rowsOfDemands(): readonly Definition[] {
  const file = "docs/why/requirements.md";
  const stated = read(file)
    .split("\n## ")
    .filter((section) => /^S\d: /.test(section));
  const lines = stated.flatMap((section) => section.split("\n").filter((line) => line.startsWith("- ")));
  return lines.flatMap((text) => demandsIn(text).map((id) => ({ id, file, text })));
}

const places = (uses: readonly { readonly id: string; readonly file: string }[]): readonly string[] => [
  ...new Set(uses.map(({ id, file }) => `${file}: ${id}`)),
];

describe("ids of claims", () => {
  test("Docs: every id is defined once", () => {
    expect(ofFiles.length).toBeGreaterThan(300);
    expect(promises.length).toBeGreaterThan(30);
    const seen = new Map<string, string>();
    const twice = all.filter(({ id, file }) => {
      const before = seen.get(id);
      seen.set(id, file);
      return before !== undefined;
    });
    expect(places(twice)).toEqual([]);
  });

  test("Docs: every title begins with what it proves: ids and areas that are defined", () => {
    expect(claimed.length).toBeGreaterThan(1500);
    const unknown = claimed.filter(({ id }) => {
      const numbers = demandsIn(id);
      return numbers.length > 0 ? numbers.some((number) => !defined.has(number)) : !defined.has(id);
    });
    expect(places(unknown)).toEqual([]);
  });

  test("Docs: every id in a comment or on a page is defined", () => {
    expect(mentioned.length).toBeGreaterThan(500);
    expect(places(mentioned.filter(({ id }) => !defined.has(id)))).toEqual([]);
  });

  test("Docs: no source or page names a section of a document that is not here", () => {
    expect(namingSections).toEqual([]);
  });

  test("Docs: every threat and every planted bug names an id that is defined", () => {
    const rows = read("docs/why/threats.md")
      .split("\n")
      .filter((line) => line.startsWith("| "));
    const threats = rows.flatMap((row) => [...row.matchAll(/`(test\/[\w/.-]+\.test\.ts)` ([^,|]+)/g)]);
    const named = threats.map(([, file = "", id = ""]) => ({ file, id: id.trim() }));
    const bugs = BUGS.flatMap(witnessesOf).map(({ file, claim }) => ({ file, id: claim }));
    expect(named.length).toBeGreaterThan(50);
    expect(places([...named, ...bugs].filter(({ id }) => !defined.has(id)))).toEqual([]);
  });

  test("Docs: every promise, area and invariant of a file stands in a title, or says why no test can show it", () => {
    const open = [...promises, ...areas, ...ofFiles].filter(
      ({ id, text }) => !inTitles.has(id) && !BY_REVIEW.test(text),
    );
    expect(places(open)).toEqual([]);
  });

  test("Docs: what is left to review is not tested all the same", () => {
    const tested = ofFiles.filter(({ id, text }) => BY_REVIEW.test(text) && inTitles.has(id));
    expect(places(tested)).toEqual([]);
  });

  test("Docs: every promise names files that are there, and a test that claims it", () => {
    const wrong = promises.flatMap(({ id, text }) => {
      const [, kept = "", shown = ""] = text.split(" | ");
      const files = [...`${kept} ${shown}`.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
      const tests = files.filter((file) => file.endsWith(".test.ts") || file.endsWith(".contract.ts"));
      const unclaimed = tests.filter((file) => !claimed.some((use) => use.id === id && use.file === file));
      const missing = files.filter((file) => !existsSync(join(ROOT, file)));
      if (tests.length === 0 || tests.length === files.length) return [`${id}: keeper or test is missing`];
      return [...unclaimed, ...missing].map((file) => `${id}: ${file}`);
    });
    expect(wrong).toEqual([]);
  });

  test("Docs: a title claims each part before its first colon, and each number of a range", () => {
    expect(claimsOf("C1–C3, OUTBOX-1: a, G4: b")).toEqual(["C1", "C2", "C3", "OUTBOX-1"]);
    expect(claimsOf("nothing at all")).toEqual(["nothing at all"]);
  });
});

// Threats
// Each row of docs/why/threats.md names tests that are there.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { titlesIn } from "../support/docs/titles.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const rows = read("docs/why/threats.md")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(2)
  .map((line) => line.split("|").map((cell) => cell.trim()));

test("Docs: every threat names a claim that the test file beside it begins a title with", () => {
  expect(rows.length).toBeGreaterThan(20);
  const missing = rows.flatMap(([, danger = "", by = "", , shown = ""]) => {
    const named = [...shown.matchAll(/`(test\/[\w/.-]+\.test\.ts)` ([^,]+)/g)];
    if (named.length === 0) return [`${danger}, ${by}: nothing`];
    return named
      .filter(([, file = "", claim = ""]) => {
        const claims = titlesIn(read(file)).map((title) => title.split(":")[0]?.split(", ") ?? []);
        return !claims.some((each) => each.includes(claim.trim()));
      })
      .map(([text]) => `${danger}, ${by}: ${text}`);
  });
  expect(missing).toEqual([]);
});

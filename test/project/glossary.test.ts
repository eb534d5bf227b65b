// Glossary
// The words of docs/glossary.md: each says where the thing lives, and it lives there.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const FILES = ["machines", "runtime", "adapters", "docs/examples"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) =>
    join(ROOT, folder, path),
  ),
);
const ROWS = readFileSync(join(ROOT, "docs", "glossary.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| (?!term |-)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

/** Whether a file of this name is there and, where a name is given, declares it. */
function livesIn(name: string | undefined, file: string): boolean {
  const declared = new RegExp(
    `\\b(?:interface|type|class|const|function) ${name ?? ""}\\b|^ +(?:readonly |get )?${name ?? ""}\\??[:(]`,
    "m",
  );
  return FILES.filter((path) => basename(path) === file).some(
    (path) => name === undefined || declared.test(readFileSync(path, "utf8")),
  );
}

describe("glossary", () => {
  test("Docs: each term is said once, in a sentence", () => {
    const terms = ROWS.flatMap(([, term = ""]) => term.split(", "));
    expect(terms.length).toBeGreaterThan(80);
    expect(new Set(terms).size).toBe(terms.length);
    expect(ROWS.filter(([, , meaning = ""]) => !/^[A-Z].*\.$/.test(meaning))).toEqual([]);
  });

  test("Docs: each term names a type or a file that is there, but what does not exist yet", () => {
    const lost = ROWS.filter(([, , meaning = "", where = ""]) => {
      if (where === "–") return !meaning.includes("does not exist yet");
      const [, name, file = ""] = /^(?:`(\w+)` in )?`([\w-]+\.\w+)`$/.exec(where) ?? [];
      return !livesIn(name, file);
    });
    expect(lost).toEqual([]);
  });

  test("Docs: a name that is not declared in its file is noticed", () => {
    expect(livesIn("Snapshot", "actors.ts")).toBe(true);
    expect(livesIn("Snapshots", "actors.ts")).toBe(false);
    expect(livesIn(undefined, "no-such-file.ts")).toBe(false);
  });
});
